package dev.loomboard.regression;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.loomboard.cell.RunState;
import dev.loomboard.kernel.WireName;
import dev.loomboard.stats.paired.Verdict;
import dev.loomboard.verdict.Outcome;
import dev.loomboard.verdict.VerdictText;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Both builds of a confirmed regression measured again, with changed defaults set on both to what they were.
 *
 * @param flags names of these
 * @param options of the JVM that set them
 * @param run external id
 * @param familySize of its declared tests
 * @param outcome of the metric that became worse, first build of the new level against the last good one; null: not judged yet
 */
public record DefaultRerun(
        List<String> flags,
        List<String> options,
        String run,
        RunState state,
        int familySize,
        @Nullable Outcome outcome) {

    /** What it says of these defaults. */
    public enum Answer implements WireName {
        /** It is not over. */
        WAITING,
        /** With them as before, the new build is no worse. */
        EXPLAINED,
        /** It is worse all the same. */
        UNEXPLAINED,
        OPEN
    }

    public DefaultRerun {
        flags = List.copyOf(flags);
        options = List.copyOf(options);
    }

    @JsonProperty
    public Answer answer() {
        if (!state.isOver()) {
            return Answer.WAITING;
        }
        Verdict verdict = outcome == null ? null : outcome.verdict();
        return switch (verdict) {
            case null -> Answer.OPEN;
            case INCONCLUSIVE -> Answer.OPEN;
            case EQUIVALENT, FASTER, FAILS_LESS -> Answer.EXPLAINED;
            case SLOWER, FAILS_MORE -> Answer.UNEXPLAINED;
        };
    }

    /** In one sentence. */
    public String words() {
        String they = flags.size() == 1 ? "The changed default" : "These changed defaults";
        return switch (answer()) {
            case WAITING -> "The run is " + state.wire() + ".";
            case EXPLAINED -> they + (flags.size() == 1 ? " explains" : " explain") + " the change.";
            case UNEXPLAINED ->
                they + (flags.size() == 1 ? " does" : " do")
                        + " not explain the change: it is there with the old value on both builds too.";
            case OPEN -> "Open: the run gave no result.";
        };
    }

    /** With the effect, and how sure it is; null: not judged yet. */
    public @Nullable VerdictText verdict() {
        return outcome == null ? null : new VerdictText(outcome, familySize);
    }
}
