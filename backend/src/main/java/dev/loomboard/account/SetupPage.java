package dev.loomboard.account;

import dev.loomboard.web.Page;
import java.util.List;

/** The form that makes the first administrator. */
public record SetupPage(String token, String email, String name, List<String> problems) implements Page {
    public SetupPage {
        problems = List.copyOf(problems);
    }

    @Override
    public String template() {
        return "account/setup.jte";
    }

    public int shortestPassword() {
        return NewAccount.SHORTEST_PASSWORD;
    }
}
