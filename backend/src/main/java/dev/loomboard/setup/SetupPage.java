package dev.loomboard.setup;

import dev.loomboard.credential.NewAccount;
import dev.loomboard.web.FormState;
import dev.loomboard.web.Page;

/** The form that makes the first administrator. */
public record SetupPage(String token, FormState form) implements Page {
    @Override
    public String template() {
        return "account/setup.jte";
    }

    public int shortestPassword() {
        return NewAccount.SHORTEST_PASSWORD;
    }
}
