package dev.loomboard.rollup;

import dev.loomboard.cell.Limits;
import dev.loomboard.cell.Load;
import dev.loomboard.measurement.MetricValue;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A cell and the newest of each of its trials, as a roll-up needs them.
 *
 * @param visibility of the run
 * @param machine external id
 * @param framework of the server; null: unknown
 * @param qualified the machine passed its A/A qualification
 * @param placement of the load: same-host, or other words of the agent's; null: the machine never said
 * @param trials in order of kind and ordinal; late ones are not among them
 */
public record FinishedCell(
        long cellId,
        long workspaceId,
        long runId,
        String visibility,
        long machineId,
        String machine,
        boolean qualified,
        @Nullable String placement,
        @Nullable String classHash,
        @Nullable String classLabel,
        String server,
        String variant,
        @Nullable String framework,
        String concurrencyModel,
        String workload,
        String scenarioKey,
        Load load,
        String collector,
        List<String> jvmOptions,
        Limits limits,
        String protocol,
        Track track,
        List<Trial> trials) {

    public FinishedCell {
        jvmOptions = List.copyOf(jvmOptions);
        trials = List.copyOf(trials);
    }

    /** The build, and what of it stays the same along a history. */
    public record Track(long jdkBuildId, int feature, String vendor, String architecture) {
        public String key() {
            return feature + "-" + vendor + "-" + architecture;
        }
    }

    /**
     * @param ordinal which of its kind, from 1
     * @param state planned, running, done, failed, aborted
     * @param begun an agent said that it was at work on it
     * @param steady steady, drift or no_steady_state; null: its phases had fixed times
     * @param endedAt null: it has not ended
     */
    public record Trial(
            long trialId,
            boolean diagnostic,
            int ordinal,
            String state,
            @Nullable String validity,
            @Nullable String reason,
            boolean begun,
            @Nullable String steady,
            @Nullable Instant endedAt,
            @Nullable String serverDigest,
            @Nullable String fingerprintHash,
            @Nullable String classHash,
            @Nullable String agentVersion,
            Map<String, MetricValue> metrics) {

        public Trial {
            metrics = Map.copyOf(metrics);
        }

        public boolean done() {
            return state.equals("done");
        }

        public boolean ended() {
            return done() || state.equals("failed") || state.equals("aborted");
        }
    }

    public List<Trial> scored() {
        return trials.stream().filter(t -> !t.diagnostic()).toList();
    }

    /**
     * Whether every scored trial that was planned has ended, and any of them had begun: a cell that a cancelled run never
     * came to has nothing to say.
     */
    public boolean complete() {
        List<Trial> scored = scored();
        return scored.stream().anyMatch(Trial::begun) && scored.stream().allMatch(Trial::ended);
    }

    /** Whether a scored trial was given up from outside: no outcome of the server's. */
    public boolean cutShort() {
        return scored().stream().anyMatch(trial -> trial.state().equals("aborted"));
    }
}
