package dev.loomboard.regression;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.loomboard.stats.change.ControlComparison;
import dev.loomboard.view.Format;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What was found when a control of a change was looked for.
 *
 * @param lookedAt when; again while the new level is short
 * @param controls builds that stayed and ran in enough nights of both levels
 * @param beside what they did, pooled; null: there is none
 */
public record HostControl(
        Instant lookedAt, int controls, @Nullable Beside beside) {

    /**
     * @param build slug of the build that stayed, of several the one that ran in most nights
     * @param builds slugs of all that are pooled, that one first; null: stored when one alone was taken
     * @param before nights of the level before in which it ran
     * @param after of the new one
     * @param change of the control itself, new level ÷ level before, with its 95 % interval
     * @param moved still, moved or unclear
     * @param against the same of candidate ÷ control, night by night
     * @param left remains, gone or unclear
     */
    public record Beside(
            String build,
            @Nullable List<String> builds,
            int before,
            int after,
            double change,
            double low,
            double high,
            ControlComparison.Moved moved,
            double against,
            double againstLow,
            double againstHigh,
            ControlComparison.Left left) {}

    /** The change remains against it, so the host does not explain it. */
    public boolean clearsHost() {
        return beside != null && beside.left() == ControlComparison.Left.REMAINS;
    }

    /** It moved, and against it nothing of the change is left. */
    public boolean pointsToHost() {
        return beside != null
                && beside.left() == ControlComparison.Left.GONE
                && beside.moved() == ControlComparison.Moved.MOVED;
    }

    /** Both effects with their intervals, or that there is no control. */
    @JsonProperty
    public String sentence() {
        if (beside == null) {
            return "No control: no cell like it stayed on one build and ran in three nights or more of each level.";
        }
        String moved = switch (beside.moved()) {
            case STILL -> "The control did not move: ";
            case MOVED -> "The control moved too: ";
            case UNCLEAR -> "Whether the control moved is not clear: ";
        };
        String left = switch (beside.left()) {
            case REMAINS -> "which the host does not explain";
            case GONE -> "so nothing that matters is left of it";
            case UNCLEAR -> "which does not tell whether the host explains it";
        };
        return moved + interval(beside.change(), beside.low(), beside.high()) + ". Against it the change is "
                + interval(beside.against(), beside.againstLow(), beside.againstHigh()) + ", " + left + ".";
    }

    /** Which one it is; empty: none. */
    public String basis() {
        if (beside == null) {
            return "";
        }
        String nights = ", in " + Format.of(beside.before(), "night") + " before and " + beside.after() + " after.";
        List<String> builds = beside.builds();
        if (controls == 1) {
            return "One control: the same cell on " + beside.build() + ", which stayed" + nights;
        }
        return builds == null
                ? "Of " + controls + " controls, the same cell on builds that stayed, the one that ran most often: "
                        + beside.build() + nights
                : controls + " controls, pooled night by night: the same cell on "
                        + String.join(", ", builds.subList(0, builds.size() - 1)) + " and " + builds.getLast()
                        + ", which stayed" + nights;
    }

    private static String interval(double ratio, double low, double high) {
        return Format.change(ratio) + " (95 %: " + Format.change(low) + " to " + Format.change(high) + ")";
    }
}
