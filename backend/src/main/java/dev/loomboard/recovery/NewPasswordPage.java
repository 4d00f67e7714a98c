package dev.loomboard.recovery;

import dev.loomboard.credential.NewAccount;
import dev.loomboard.web.FormState;
import dev.loomboard.web.Page;

/** Where a link to a new password leads. */
public record NewPasswordPage(String token, FormState form) implements Page {
    @Override
    public String template() {
        return "account/new-password.jte";
    }

    public int shortestPassword() {
        return NewAccount.SHORTEST_PASSWORD;
    }
}
