package dev.loomboard.jdkflags;

import dev.loomboard.kernel.FieldChecks;
import java.util.Map;
import java.util.regex.Pattern;

/** All flags of a build by name. Its JSON is the wire's JdkFlags. */
public record JdkFlags(Map<String, JdkFlag> flags) {

    private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]{0,99}");

    /** A JDK of today has nine hundred. */
    private static final int MOST = 3000;

    /** Names and values of these are 22 000. */
    private static final int MOST_CHARACTERS = 131_072;

    public JdkFlags {
        flags = FieldChecks.map("flags", flags);
        if (flags.isEmpty() || flags.size() > MOST) {
            throw new FieldChecks.Refused("flags", "must have 1 to " + MOST + " entries, has " + flags.size());
        }
        int characters = 0;
        for (Map.Entry<String, JdkFlag> flag : flags.entrySet()) {
            FieldChecks.matching("flags", flag.getKey(), NAME);
            characters += flag.getKey().length() + flag.getValue().value().length();
        }
        if (characters > MOST_CHARACTERS) {
            throw new FieldChecks.Refused(
                    "flags", "must have at most " + MOST_CHARACTERS + " characters in all, has " + characters);
        }
    }
}
