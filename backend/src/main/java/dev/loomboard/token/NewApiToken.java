package dev.loomboard.token;

import dev.loomboard.kernel.Caller.TokenScope;
import dev.loomboard.kernel.WireName;
import dev.loomboard.membership.WorkspaceStore.Workspace;
import dev.loomboard.web.FormState;
import dev.loomboard.web.Problem.FieldError;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** An API token as its maker asks for it. */
record NewApiToken(Workspace workspace, String name, Set<TokenScope> scopes, Duration life) {

    static final List<Integer> DAYS = List.of(7, 30, 90, 365);
    private static final int USUAL_DAYS = 90;
    private static final int LONGEST_NAME = 80;

    NewApiToken {
        scopes = Set.copyOf(scopes);
    }

    /** @param token null: the form is refused */
    record Typed(FormState form, @Nullable NewApiToken token) {}

    static FormState blank() {
        return FormState.with(Map.of("days", Integer.toString(USUAL_DAYS)));
    }

    static Typed of(FormState form, List<Workspace> owned) {
        List<FieldError> problems = new ArrayList<>();
        String name = form.value("name").strip();
        if (name.isEmpty() || name.length() > LONGEST_NAME) {
            problems.add(new FieldError("name", "must have 1 to " + LONGEST_NAME + " characters"));
        }
        Optional<Workspace> workspace = Workspace.chosen(owned, form.value("workspace"));
        if (workspace.isEmpty()) {
            problems.add(new FieldError("workspace", "must be one of yours"));
        }
        Set<TokenScope> scopes = EnumSet.of(TokenScope.READ);
        for (String asked : form.values().getOrDefault("scope", List.of())) {
            WireName.find(TokenScope.class, asked)
                    .ifPresentOrElse(
                            scopes::add,
                            () -> problems.add(new FieldError("scope", "must be of those listed, is: " + asked)));
        }
        Optional<Integer> days = DAYS.stream()
                .filter(choice -> choice.toString().equals(form.value("days")))
                .findFirst();
        if (days.isEmpty()) {
            problems.add(new FieldError("days", "must be one of " + choices()));
        }
        return problems.isEmpty()
                ? new Typed(
                        form,
                        new NewApiToken(workspace.orElseThrow(), name, scopes, Duration.ofDays(days.orElseThrow())))
                : new Typed(form.refused(problems), null);
    }

    private static String choices() {
        return DAYS.stream().map(String::valueOf).collect(Collectors.joining(", "));
    }
}
