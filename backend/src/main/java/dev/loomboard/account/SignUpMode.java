package dev.loomboard.account;

import dev.loomboard.kernel.StartupRefusal;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** Who may make an account, as the operator chose. */
public enum SignUpMode {
    /** Everybody. */
    OPEN,
    /** Whom somebody invited to a workspace. */
    INVITATION,
    /** Nobody: the accounts that there are stay the only ones. */
    CLOSED;

    static SignUpMode of(String setting) {
        return Arrays.stream(values())
                .filter(mode -> mode.word().equals(setting.strip()))
                .findFirst()
                .orElseThrow(() -> new StartupRefusal(
                        "LOOMBOARD_SIGN_UP is " + setting + ".",
                        "Set it to "
                                + Arrays.stream(values()).map(SignUpMode::word).collect(Collectors.joining(", "))
                                + ", or leave it out."));
    }

    String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
