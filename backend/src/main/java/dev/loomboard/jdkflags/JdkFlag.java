package dev.loomboard.jdkflags;

import dev.loomboard.kernel.FieldChecks;
import dev.loomboard.kernel.WireName;

/** A flag of a JVM that is given no options. Its JSON is the wire's JdkFlag. */
public record JdkFlag(String value, Kind kind, Origin origin) {

    private static final int LONGEST_VALUE = 200;

    /** Those that need no unlocking first. */
    public enum Kind implements WireName {
        PRODUCT,
        MANAGEABLE,
        EXPERIMENTAL,
        DIAGNOSTIC
    }

    /** DEFAULT stands in the sources; ERGONOMIC the JVM chose by what it found on the machine. */
    public enum Origin implements WireName {
        DEFAULT,
        ERGONOMIC
    }

    public JdkFlag {
        FieldChecks.atMost("value", value, LONGEST_VALUE);
        FieldChecks.present("kind", kind);
        FieldChecks.present("origin", origin);
    }

    boolean ergonomic() {
        return origin == Origin.ERGONOMIC;
    }
}
