package dev.loomboard.credential;

import dev.loomboard.kernel.StartupRefusal;
import dev.loomboard.kernel.WireName;
import java.util.Arrays;
import java.util.stream.Collectors;

/** Who may make an account, as the operator chose. */
public enum SignUpMode implements WireName {
    /** Everybody. */
    OPEN,
    /** Whom somebody invited to a workspace. */
    INVITATION,
    /** Nobody: the accounts that there are stay the only ones. */
    CLOSED;

    public static SignUpMode of(String setting) {
        return WireName.find(SignUpMode.class, setting.strip())
                .orElseThrow(() -> new StartupRefusal(
                        "LOOMBOARD_SIGN_UP is " + setting + ".",
                        "Set it to "
                                + Arrays.stream(values()).map(WireName::wire).collect(Collectors.joining(", "))
                                + ", or leave it out."));
    }
}
