package dev.loomboard.retraction;

import dev.loomboard.kernel.WireName;
import dev.loomboard.retracted.Version;
import dev.loomboard.web.FormState;
import dev.loomboard.web.Problem.FieldError;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** What an administrator or an owner typed. */
record NewRetraction(String kind, String name, String version, String reason) {

    static final int LONGEST = 2000;

    private static final int LONGEST_NAME = 200;

    static NewRetraction of(FormState form) {
        return new NewRetraction(
                form.value("kind"),
                form.value("name").strip(),
                form.value("version").strip(),
                form.value("reason").strip());
    }

    /** A form that a link filled in. */
    static FormState form(Map<String, String> query) {
        return FormState.with(Map.of(
                "kind", query.getOrDefault("kind", Version.Kind.SERVER.wire()),
                "name", query.getOrDefault("name", ""),
                "version", query.getOrDefault("version", "")));
    }

    /** Only of what has no problems. */
    Version of() {
        return new Version(WireName.of(Version.Kind.class, kind), name, version);
    }

    List<FieldError> problems() {
        List<FieldError> problems = new ArrayList<>();
        if (WireName.find(Version.Kind.class, kind).isEmpty()) {
            problems.add(new FieldError("kind", "must be one of server, workload, machine, run"));
        }
        text(problems, "name", name, LONGEST_NAME);
        text(problems, "version", version, LONGEST_NAME);
        text(problems, "reason", reason, LONGEST);
        return problems;
    }

    static void text(List<FieldError> problems, String field, String value, int longest) {
        if (value.isEmpty()) {
            problems.add(new FieldError(field, "must not be empty"));
        } else if (value.length() > longest) {
            problems.add(new FieldError(field, "must have at most " + longest + " characters, has " + value.length()));
        }
    }
}
