package dev.loomboard.account;

import dev.loomboard.web.Page;
import java.util.List;

/** A person's own account. */
public record AccountPage(String email, String name, List<String> problems, boolean changed) implements Page {
    public AccountPage {
        problems = List.copyOf(problems);
    }

    @Override
    public String template() {
        return "account/account.jte";
    }

    public int shortestPassword() {
        return NewAccount.SHORTEST_PASSWORD;
    }
}
