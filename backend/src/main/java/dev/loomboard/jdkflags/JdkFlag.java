package dev.loomboard.jdkflags;

import dev.loomboard.kernel.FieldChecks;
import dev.loomboard.kernel.WireName;
import org.jspecify.annotations.Nullable;

/** A flag of a JVM that is given no options. Its JSON is the wire's JdkFlag. */
public record JdkFlag(String value, Kind kind, Origin origin) {

    private static final int LONGEST_VALUE = 200;

    /** Those that need no unlocking first. */
    public enum Kind implements WireName {
        PRODUCT(null),
        MANAGEABLE(null),
        EXPERIMENTAL("-XX:+UnlockExperimentalVMOptions"),
        DIAGNOSTIC("-XX:+UnlockDiagnosticVMOptions");

        private final @Nullable String unlocking;

        Kind(@Nullable String unlocking) {
            this.unlocking = unlocking;
        }

        /** The option without which a JVM refuses flags of the kind; null: it needs none. */
        @Nullable
        String unlocking() {
            return unlocking;
        }
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
