package dev.loomboard.machine;

import dev.loomboard.kernel.Characters;
import dev.loomboard.web.Problem.FieldError;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What a person or script asks a new machine to be called. */
public record MachineName(String name) {

    private static final int LONGEST = 80;
    private static final int LONGEST_SLUG = 56; // room for a number when it is taken

    public MachineName {
        name = name.strip();
    }

    public List<FieldError> problems() {
        List<FieldError> problems = new ArrayList<>();
        if (name.length() > LONGEST || slug().isEmpty()) {
            problems.add(new FieldError(
                    "name", "must have 1 to " + LONGEST + " characters, at least one of them a letter a-z or a digit"));
        }
        String deceptive = Characters.deceptive(name);
        if (deceptive != null) {
            problems.add(new FieldError("name", deceptive));
        }
        return problems;
    }

    /** The name as it stands in URLs, before it is known whether it is taken; empty when nothing of it can. */
    public String slug() {
        String slug =
                name.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-").replaceAll("^-+|-+$", "");
        return slug.substring(0, Math.min(slug.length(), LONGEST_SLUG)).replaceAll("-+$", "");
    }
}
