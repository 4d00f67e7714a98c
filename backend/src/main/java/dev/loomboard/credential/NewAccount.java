package dev.loomboard.credential;

import dev.loomboard.kernel.Characters;
import dev.loomboard.web.FormState;
import dev.loomboard.web.Problem.FieldError;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A person's account as the person asks for it. */
public record NewAccount(String email, String name, String password) {

    private static final int LONGEST_EMAIL = 254;
    private static final int LONGEST_NAME = 80;
    public static final int SHORTEST_PASSWORD = 12;
    static final int LONGEST_PASSWORD = 200;

    /** What has a meaning of its own where mails are addressed; no address of a person needs it. */
    private static final String NOT_IN_EMAIL = "<>()[],;:\\\"";

    /** Of the fields email, name and password. */
    public static NewAccount of(FormState form) {
        return new NewAccount(
                normalised(form.value("email")), form.value("name").strip(), form.value("password"));
    }

    /**
     * Of somebody whom a provider vouches for, who has no password.
     *
     * @param name as the provider has it; what people must not type is left out, and where nothing is left the address names them
     */
    public static NewAccount vouched(String email, String name) {
        String address = normalised(email);
        String shown = Characters.deceptive(name) == null ? name.strip() : "";
        if (shown.isEmpty()) {
            shown = address.substring(0, Math.max(address.indexOf('@'), 0));
        }
        int end = Math.min(shown.length(), LONGEST_NAME);
        if (end > 0 && end < shown.length() && Character.isHighSurrogate(shown.charAt(end - 1))) {
            end--;
        }
        return new NewAccount(address, shown.substring(0, end).strip(), "");
    }

    public static String normalised(String email) {
        return email.strip().toLowerCase(Locale.ROOT);
    }

    /** Everything that is wrong with it; empty when it can be made. */
    public List<FieldError> problems() {
        List<FieldError> problems = new ArrayList<>(emailProblems());
        if (name.isEmpty() || name.length() > LONGEST_NAME) {
            problems.add(new FieldError("name", "must have 1 to " + LONGEST_NAME + " characters"));
        }
        problems.addAll(passwordProblems(password));
        return problems;
    }

    public List<FieldError> emailProblems() {
        int at = email.indexOf('@');
        boolean wrong = at < 1
                || at == email.length() - 1
                || email.indexOf('@', at + 1) >= 0
                || email.length() > LONGEST_EMAIL
                || email.chars().anyMatch(c -> c <= ' ' || NOT_IN_EMAIL.indexOf(c) >= 0)
                || Characters.deceptive(email) != null;
        return wrong ? List.of(new FieldError("email", "must be an address such as name@example.org")) : List.of();
    }

    static List<FieldError> passwordProblems(String password) {
        boolean fits = password.length() >= SHORTEST_PASSWORD && password.length() <= LONGEST_PASSWORD;
        return fits
                ? List.of()
                : List.of(new FieldError(
                        "password", "must have " + SHORTEST_PASSWORD + " to " + LONGEST_PASSWORD + " characters"));
    }

    /** Of a form that asks twice for a new password. */
    public static List<FieldError> newPasswordProblems(FormState form) {
        String password = form.value("password");
        List<FieldError> problems = new ArrayList<>(passwordProblems(password));
        if (!password.equals(form.value("repeated"))) {
            problems.add(new FieldError("repeated", "differs from the new password"));
        }
        return problems;
    }
}
