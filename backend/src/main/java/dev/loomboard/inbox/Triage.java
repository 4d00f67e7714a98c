package dev.loomboard.inbox;

import dev.loomboard.kernel.WireName;
import dev.loomboard.regression.Regression;
import dev.loomboard.regression.TriageState;
import dev.loomboard.web.FormState;
import dev.loomboard.web.Problem.FieldError;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a person says of a regression.
 *
 * @param state null: what was typed is none
 * @param owner external id of the account that looks after it; null: nobody
 */
record Triage(@Nullable TriageState state, @Nullable String owner, String note) {

    static final int LONGEST_NOTE = 4000;

    static Triage of(FormState form) {
        String owner = form.value("owner");
        return new Triage(
                WireName.find(TriageState.class, form.value("state")).orElse(null),
                owner.isEmpty() ? null : owner,
                form.value("note").strip());
    }

    /** @param members who may look after it */
    List<FieldError> problems(List<RegressionPage.Member> members) {
        List<FieldError> problems = new ArrayList<>();
        if (state == null) {
            problems.add(new FieldError("state", "must be one of open, acknowledged, expected, fixed"));
        }
        if (owner != null && members.stream().noneMatch(m -> m.id().equals(owner))) {
            problems.add(new FieldError("owner", "must be a member of the workspace"));
        }
        if (note.length() > LONGEST_NOTE) {
            problems.add(
                    new FieldError("note", "must have at most " + LONGEST_NOTE + " characters, has " + note.length()));
        }
        return problems;
    }

    /** Only of what has no problems. */
    String becomes() {
        return Objects.requireNonNull(state).wire();
    }

    /** Whether it says anything new. */
    boolean changes(Regression regression) {
        return state != regression.triaged().triage()
                || !Objects.equals(owner, regression.ownerId())
                || !note.isEmpty();
    }
}
