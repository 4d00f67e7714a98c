package dev.loomboard.account;

import dev.loomboard.web.Page;
import org.jspecify.annotations.Nullable;

/**
 * The form to sign in.
 *
 * @param next path to go on to
 * @param problem why the last attempt failed
 * @param notice what was done just before; null: nothing
 * @param mayAsk whether there is a page that says how to get an account
 * @param mails whether a link to a new password is mailed; else the operator gives it
 */
public record SignInPage(
        String next,
        String email,
        @Nullable String problem,
        @Nullable String notice,
        boolean mayAsk,
        boolean mails) implements Page {
    @Override
    public String template() {
        return "account/sign-in.jte";
    }
}
