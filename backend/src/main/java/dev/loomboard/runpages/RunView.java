package dev.loomboard.runpages;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.loomboard.cell.Imported;
import dev.loomboard.cell.RunState;
import dev.loomboard.cell.Visibility;
import dev.loomboard.run.Progress;
import dev.loomboard.run.RunMaker;
import dev.loomboard.run.Stopped;
import dev.loomboard.stats.change.NightlyScreen;
import dev.loomboard.view.Format;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A run as pages show it.
 *
 * @param id external id
 * @param imported null: it was measured here
 */
public record RunView(
        String id,
        RunMaker maker,
        String title,
        Visibility visibility,
        @JsonUnwrapped Origin origin,
        @JsonUnwrapped Planned planned,
        RunState state,
        @JsonUnwrapped Attempts attempts,
        @JsonUnwrapped RunTimes times,
        Progress progress,
        @Nullable Imported imported,
        List<String> notices) {

    public RunView {
        notices = List.copyOf(notices);
    }

    /**
     * Which matrix runs on which machine, and who asked.
     *
     * @param schedule title of the schedule that fired; null: none
     * @param control the build that stays from night to night and ran beside the others; null: there was none
     * @param raised suspects that this rerun answers and the nightly screen raised
     * @param followUp made by the service, because changes are suspected
     * @param bisects external id of the change whose bisection it is a step of; null: of none
     */
    public record Origin(
            String workspace,
            String matrixSlug,
            String matrixTitle,
            String machineSlug,
            String machineName,
            @Nullable String schedule,
            @Nullable String scheduleSlug,
            String protocol,
            @Nullable Control control,
            boolean followUp,
            int raised,
            @Nullable String bisects) {}

    /**
     * @param build its slug
     * @param screened series that were compared with it when the run was over; null: it is not over
     * @param rises of these, how many rose beyond the screen's limit; null as {@code screened}
     */
    public record Control(
            String build,
            @Nullable Integer screened,
            @Nullable Integer rises) {

        /** What the nightly screen made of the run; empty: nothing yet. */
        public String words() {
            if (screened == null || rises == null) {
                return "";
            }
            return screened == 0
                    ? "No series was screened. Screening needs "
                            + Format.of(NightlyScreen.LEAST_PAST, "night")
                            + " of results on older builds with this control, and a machine with reruns switched on."
                    : "Series screened for slowdowns relative to it: " + Format.count(screened) + "; above the limit: "
                            + (rises == 0 ? "none" : Format.count(rises)) + ".";
        }
    }

    /**
     * Its trials, as they were planned. Number and time null: it was queued before that was stored.
     *
     * @param plannedSeconds what its trials take at most, roughly
     * @param orderSeed what the order of its trials was drawn from; null: they went through the cells there and back
     */
    public record Planned(
            @Nullable Integer plannedTrials,
            @Nullable Double plannedSeconds,
            @Nullable Long orderSeed) {

        /** What they take; empty: not known. */
        public String cost() {
            return plannedTrials == null || plannedSeconds == null ? "" : Format.cost(plannedTrials, plannedSeconds);
        }
    }

    /**
     * @param attempts how often it was leased
     * @param failure why it failed, or was cancelled, in words; null: it was not
     * @param stopped null: no rule of its schedule ended it
     */
    public record Attempts(
            boolean cancelRequested,
            int attempts,
            @Nullable String failure,
            @Nullable Stopped stopped) {}

    public @Nullable String failure() {
        return attempts.failure();
    }

    public @Nullable Stopped stopped() {
        return attempts.stopped();
    }

    public boolean over() {
        return state.isOver();
    }
}
