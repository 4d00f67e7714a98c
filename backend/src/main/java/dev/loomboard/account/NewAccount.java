package dev.loomboard.account;

import dev.loomboard.web.FormState;
import dev.loomboard.web.Problem.FieldError;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A person's account as the person asks for it. */
public record NewAccount(String email, String name, String password) {

    private static final int LONGEST_EMAIL = 254;
    private static final int LONGEST_NAME = 80;
    static final int SHORTEST_PASSWORD = 12;
    static final int LONGEST_PASSWORD = 200;

    /** What has a meaning of its own where mails are addressed; no address of a person needs it. */
    private static final String NOT_IN_EMAIL = "<>()[],;:\\\"";

    /** Of the fields email, name and password. */
    public static NewAccount of(FormState form) {
        return new NewAccount(
                normalised(form.value("email")), form.value("name").strip(), form.value("password"));
    }

    static String normalised(String email) {
        return email.strip().toLowerCase(Locale.ROOT);
    }

    /** Everything that is wrong with it; empty when it can be made. */
    public List<FieldError> problems() {
        List<FieldError> problems = new ArrayList<>();
        int at = email.indexOf('@');
        if (at < 1
                || at == email.length() - 1
                || email.indexOf('@', at + 1) >= 0
                || email.length() > LONGEST_EMAIL
                || email.chars().anyMatch(c -> c <= ' ' || NOT_IN_EMAIL.indexOf(c) >= 0)) {
            problems.add(new FieldError("email", "must be an address such as name@example.org"));
        }
        if (name.isEmpty() || name.length() > LONGEST_NAME) {
            problems.add(new FieldError("name", "must have 1 to " + LONGEST_NAME + " characters"));
        }
        problems.addAll(passwordProblems(password));
        return problems;
    }

    static List<FieldError> passwordProblems(String password) {
        boolean fits = password.length() >= SHORTEST_PASSWORD && password.length() <= LONGEST_PASSWORD;
        return fits
                ? List.of()
                : List.of(new FieldError(
                        "password", "must have " + SHORTEST_PASSWORD + " to " + LONGEST_PASSWORD + " characters"));
    }

    /** Of a form that asks twice for a new password. */
    static List<FieldError> newPasswordProblems(FormState form) {
        String password = form.value("password");
        List<FieldError> problems = new ArrayList<>(passwordProblems(password));
        if (!password.equals(form.value("repeated"))) {
            problems.add(new FieldError("repeated", "differs from the new password"));
        }
        return problems;
    }
}
