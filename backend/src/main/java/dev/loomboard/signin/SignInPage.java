package dev.loomboard.signin;

import dev.loomboard.web.Page;
import org.jspecify.annotations.Nullable;

/**
 * The form to sign in.
 *
 * @param next path to go on to
 * @param problem why the last attempt failed
 * @param notice what was done just before; null: nothing
 * @param mayAsk whether there is a page that says how to get an account
 * @param provider by which people sign in without a password; blank: there is none
 * @param mails whether a link to a new password is mailed; else the operator gives it
 */
public record SignInPage(
        String next,
        String email,
        @Nullable String problem,
        @Nullable String notice,
        boolean mayAsk,
        String provider,
        boolean mails)
        implements Page {

    /** What a page says that has just been left for this one, by the value of {@code after}. */
    public static final String AFTER_SIGN_UP = "sign-up";

    public static final String AFTER_RESET = "reset";
    static final String AFTER_STEP = "step";
    public static final String AFTER_DELETION = "deletion";

    @Override
    public String template() {
        return "account/sign-in.jte";
    }
}
