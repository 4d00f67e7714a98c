package dev.loomboard.run;

import dev.loomboard.web.Urls;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How far a run is, as the API for scripts tells it. */
record RunStatus(
        String runId,
        String url,
        String title,
        String matrix,
        String machine,
        String state,
        @Nullable String failure,
        List<String> notices,
        Instant createdAt,
        @Nullable Instant startedAt,
        @Nullable Instant finishedAt,
        @Nullable Instant expectedEnd,
        long done,
        long total,
        List<TrialStatus> trials) {

    RunStatus {
        notices = List.copyOf(notices);
        trials = List.copyOf(trials);
    }

    RunStatus with(List<TrialStatus> found) {
        return new RunStatus(
                runId,
                url,
                title,
                matrix,
                machine,
                state,
                failure,
                notices,
                createdAt,
                startedAt,
                finishedAt,
                expectedEnd,
                done,
                total,
                found);
    }

    record TrialStatus(
            String trialId,
            String url,
            String kind,
            String state,
            @Nullable String phase,
            @Nullable String validity,
            @Nullable String reason,
            String server,
            String variant,
            String workload,
            String jdk) {

        static String url(String trialId) {
            return Urls.trial(trialId);
        }
    }
}
