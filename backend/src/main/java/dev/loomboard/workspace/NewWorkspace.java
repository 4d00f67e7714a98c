package dev.loomboard.workspace;

import dev.loomboard.cell.Visibility;
import dev.loomboard.kernel.Characters;
import dev.loomboard.kernel.FieldChecks;
import dev.loomboard.web.FormState;
import dev.loomboard.web.Problem.FieldError;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A workspace as somebody asks for it.
 *
 * @param slug its name in addresses; made of the name where none was typed
 */
record NewWorkspace(String name, String slug, Visibility visibility) {

    private static final int LONGEST = 80;
    private static final int LONGEST_SLUG = 56; // as of machines

    /** What would be taken for the installation itself. */
    private static final Set<String> RESERVED = Set.of(
            "admin",
            "administrator",
            "api",
            "audit",
            "default",
            "help",
            "hidden",
            "installation",
            "invitations",
            "loomboard",
            "main",
            "new",
            "official",
            "private",
            "public",
            "root",
            "security",
            "settings",
            "shipped-results",
            "status",
            "support",
            "system",
            "verified",
            "workspaces");

    /** @param workspace null: the form is refused */
    record Typed(FormState form, @Nullable NewWorkspace workspace) {}

    static Typed of(FormState form) {
        String name = form.value("name").strip();
        String typed = form.value("slug").strip();
        String slug = typed.isEmpty() ? slugOf(name) : typed;
        Optional<Visibility> visibility = Visibility.typed(form.value("visibility"));
        List<FieldError> problems = new ArrayList<>(nameProblems(name));
        if (slug.length() > LONGEST_SLUG || !FieldChecks.SLUG.matcher(slug).matches()) {
            problems.add(new FieldError(
                    "slug",
                    "must have 1 to " + LONGEST_SLUG + " of a-z, 0-9 and -, and begin with a letter or digit; is: "
                            + slug));
        } else if (RESERVED.contains(slug)) {
            problems.add(
                    new FieldError("slug", "is reserved: " + slug + " would be taken for the installation itself"));
        }
        if (visibility.isEmpty()) {
            problems.add(FieldError.notOneOf("visibility", Visibility.class, form.value("visibility")));
        }
        return problems.isEmpty()
                ? new Typed(form, new NewWorkspace(name, slug, visibility.orElseThrow()))
                : new Typed(form.refused(problems), null);
    }

    static List<FieldError> nameProblems(String name) {
        String deceptive = Characters.deceptive(name);
        if (deceptive != null) {
            return List.of(new FieldError("name", deceptive));
        }
        return name.isEmpty() || name.length() > LONGEST
                ? List.of(new FieldError("name", "must have 1 to " + LONGEST + " characters"))
                : List.of();
    }

    private static String slugOf(String name) {
        String slug =
                name.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-").replaceAll("^-+|-+$", "");
        return slug.substring(0, Math.min(slug.length(), LONGEST_SLUG)).replaceAll("-+$", "");
    }
}
