package dev.loomboard.inbox;

import dev.loomboard.regression.Regression;
import dev.loomboard.web.FormState;
import dev.loomboard.web.Problem.FieldError;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a person says of a regression.
 *
 * @param owner external id of the account that looks after it; null: nobody
 */
record Triage(String state, @Nullable String owner, String note) {

    static final List<String> STATES = List.of("open", "acknowledged", "expected", "fixed");
    static final int LONGEST_NOTE = 4000;

    static Triage of(FormState form) {
        String owner = form.value("owner");
        return new Triage(
                form.value("state"),
                owner.isEmpty() ? null : owner,
                form.value("note").strip());
    }

    /** @param members who may look after it */
    List<FieldError> problems(List<RegressionPage.Member> members) {
        List<FieldError> problems = new ArrayList<>();
        if (!STATES.contains(state)) {
            problems.add(new FieldError("state", "must be one of " + String.join(", ", STATES)));
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

    /** Whether it says anything new. */
    boolean changes(Regression regression) {
        return !state.equals(regression.triage()) || !Objects.equals(owner, regression.ownerId()) || !note.isEmpty();
    }
}
