package dev.loomboard.retraction;

import dev.loomboard.kernel.WireName;
import dev.loomboard.retracted.Version;
import dev.loomboard.web.FormState;
import dev.loomboard.web.Problem.FieldError;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What an administrator or an owner typed. */
record NewRetraction(Version of, String reason) {

    static final int LONGEST = 2000;

    private static final int LONGEST_NAME = 200;

    /** @param retraction null: the form is refused */
    record Typed(FormState form, @Nullable NewRetraction retraction) {}

    static Typed typed(FormState form) {
        Optional<Version.Kind> kind = WireName.find(Version.Kind.class, form.value("kind"));
        String name = form.value("name").strip();
        String version = form.value("version").strip();
        String reason = form.value("reason").strip();
        List<FieldError> problems = new ArrayList<>();
        if (kind.isEmpty()) {
            problems.add(FieldError.notOneOf("kind", Version.Kind.class, form.value("kind")));
        }
        text(problems, "name", name, LONGEST_NAME);
        text(problems, "version", version, LONGEST_NAME);
        text(problems, "reason", reason, LONGEST);
        return problems.isEmpty()
                ? new Typed(form, new NewRetraction(new Version(kind.orElseThrow(), name, version), reason))
                : new Typed(form.refused(problems), null);
    }

    /** A form that a link filled in. */
    static FormState form(Map<String, String> query) {
        return FormState.with(Map.of(
                "kind", query.getOrDefault("kind", Version.Kind.SERVER.wire()),
                "name", query.getOrDefault("name", ""),
                "version", query.getOrDefault("version", "")));
    }

    static void text(List<FieldError> problems, String field, String value, int longest) {
        if (value.isEmpty()) {
            problems.add(new FieldError(field, "must not be empty"));
        } else if (value.length() > longest) {
            problems.add(new FieldError(field, "must have at most " + longest + " characters, has " + value.length()));
        }
    }
}
