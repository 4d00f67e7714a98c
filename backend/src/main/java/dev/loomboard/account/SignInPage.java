package dev.loomboard.account;

import dev.loomboard.web.Page;
import org.jspecify.annotations.Nullable;

/**
 * The form to sign in.
 *
 * @param next path to go on to
 * @param problem why the last attempt failed
 */
public record SignInPage(
        String next, String email, @Nullable String problem) implements Page {
    @Override
    public String template() {
        return "account/sign-in.jte";
    }
}
