package dev.loomboard.signin;

import dev.loomboard.web.Page;
import org.jspecify.annotations.Nullable;

/**
 * The second step of signing in.
 *
 * @param next path to go on to
 * @param problem why the last code was refused; null: none was yet
 */
public record SignInCodePage(String next, @Nullable String problem) implements Page {
    @Override
    public String template() {
        return "account/code.jte";
    }
}
