package dev.loomboard.runpages;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.loomboard.cell.RunState;
import dev.loomboard.cell.TrialKind;
import dev.loomboard.cell.TrialState;
import dev.loomboard.measurement.Phase;
import dev.loomboard.measurement.Validity;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How far a run is, as the API for scripts answers it. */
record RunStatus(@JsonUnwrapped Run run, List<Trial> trials) {

    RunStatus {
        trials = List.copyOf(trials);
    }

    /**
     * @param control slug of the build that stays and ran beside the others; null: there was none
     * @param screen what the nightly screen made of it; null: it has no control, or is not over
     */
    record Run(
            String runId,
            String url,
            String title,
            @JsonUnwrapped Place place,
            RunState state,
            @Nullable String failure,
            List<String> notices,
            @JsonUnwrapped RunTimes times,
            @Nullable Instant expectedEnd,
            @Nullable String control,
            @Nullable Screen screen,
            @JsonUnwrapped Trials trials) {
        Run {
            notices = List.copyOf(notices);
        }
    }

    /**
     * What runs where.
     *
     * @param matrix its name in addresses
     * @param machine its name in addresses
     */
    record Place(String matrix, String machine) {}

    /** @param done have ended */
    record Trials(long done, long total) {}

    /**
     * @param series that were compared with earlier nights
     * @param rises of these, how many rose beyond the screen's limit
     */
    record Screen(int series, int rises) {}

    record Trial(
            String trialId,
            String url,
            TrialKind kind,
            TrialState state,
            @Nullable Phase phase,
            @Nullable Validity validity,
            @Nullable String reason,
            String server,
            String variant,
            String workload,
            String jdk) {}
}
