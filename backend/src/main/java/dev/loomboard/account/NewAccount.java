package dev.loomboard.account;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A person's account as the person asks for it. */
record NewAccount(String email, String name, String password) {

    private static final int LONGEST_EMAIL = 254;
    private static final int LONGEST_NAME = 80;
    static final int SHORTEST_PASSWORD = 12;
    static final int LONGEST_PASSWORD = 200;

    static NewAccount of(String email, String name, String password) {
        return new NewAccount(normalised(email), name.strip(), password);
    }

    static String normalised(String email) {
        return email.strip().toLowerCase(Locale.ROOT);
    }

    /** Everything that is wrong with it, for people to read; empty when it can be made. */
    List<String> problems() {
        List<String> problems = new ArrayList<>();
        int at = email.indexOf('@');
        if (at < 1
                || at == email.length() - 1
                || email.length() > LONGEST_EMAIL
                || email.chars().anyMatch(c -> c <= ' ')) {
            problems.add("Email must be an address such as name@example.org.");
        }
        if (name.isEmpty() || name.length() > LONGEST_NAME) {
            problems.add("Name must have 1 to " + LONGEST_NAME + " characters.");
        }
        problems.addAll(passwordProblems(password));
        return problems;
    }

    static List<String> passwordProblems(String password) {
        boolean fits = password.length() >= SHORTEST_PASSWORD && password.length() <= LONGEST_PASSWORD;
        return fits
                ? List.of()
                : List.of("Password must have " + SHORTEST_PASSWORD + " to " + LONGEST_PASSWORD + " characters.");
    }
}
