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
            return "No control: no matching cell ran on one fixed build for three nights before and three after.";
        }
        String moved = switch (beside.moved()) {
            case STILL -> "The control did not change: ";
            case MOVED -> "The control changed as well: ";
            case UNCLEAR -> "It is not clear whether the control changed: ";
        };
        String left = switch (beside.left()) {
            case REMAINS -> "so the host does not explain it";
            case GONE -> "so the change disappears once the host is accounted for";
            case UNCLEAR -> "so it is not clear whether the host explains it";
        };
        return moved + interval(beside.change(), beside.low(), beside.high())
                + ". Relative to the control the change is "
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
            return "One control: the same cell on the fixed build " + beside.build() + nights;
        }
        return builds == null
                ? "Of " + controls + " controls (the same cell on fixed builds) the one that ran most often: "
                        + beside.build() + nights
                : controls + " controls, averaged for each night: the same cell on the fixed builds "
                        + String.join(", ", builds.subList(0, builds.size() - 1)) + " and " + builds.getLast()
                        + nights;
    }

    private static String interval(double ratio, double low, double high) {
        return Format.change(ratio) + " (95 %: " + Format.change(low) + " to " + Format.change(high) + ")";
    }
}
