package dev.loomboard.rollup;

import dev.loomboard.cell.CellSettings;
import dev.loomboard.cell.ServerVariant;
import dev.loomboard.cell.TrialState;
import dev.loomboard.cell.Visibility;
import dev.loomboard.measurement.Steadiness;
import dev.loomboard.measurement.Validity;
import dev.loomboard.scenario.Load;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A cell and the newest of each of its trials, as a roll-up needs them.
 *
 * @param visibility of the run
 * @param pilot scored trials whose spread decided how many there are; null: nothing did
 * @param trials in order of kind and ordinal; late ones are not among them
 */
public record FinishedCell(
        long cellId,
        long workspaceId,
        long runId,
        Visibility visibility,
        Host machine,
        ServerVariant server,
        UnderLoad scenario,
        CellSettings settings,
        @Nullable Integer pilot,
        Track track,
        List<Trial> trials) {

    public FinishedCell {
        trials = List.copyOf(trials);
    }

    /** @param key of the scenario: workload, parameters and load */
    public record UnderLoad(String workload, String key, Load load) {}

    public String workload() {
        return scenario.workload();
    }

    public String scenarioKey() {
        return scenario.key();
    }

    public Load load() {
        return scenario.load();
    }

    /**
     * The machine that ran it.
     *
     * @param id external id
     * @param qualified it passed its A/A qualification
     * @param placement of the load: same-host, or other words of the agent's; null: the machine never said
     */
    public record Host(
            long key,
            String id,
            boolean qualified,
            @Nullable String placement,
            @Nullable String classHash,
            @Nullable String classLabel) {}

    /** The build, and what of it stays the same along a history. */
    public record Track(long jdkBuildId, int feature, String vendor, String architecture) {
        public String key() {
            return feature + "-" + vendor + "-" + architecture;
        }
    }

    /**
     * What a trial ran: null is not known.
     *
     * @param cpusKnown the machine's agent said how many CPUs it has
     */
    public record Provenance(
            @Nullable String serverDigest,
            @Nullable String fingerprintHash,
            @Nullable String classHash,
            @Nullable String agentVersion,
            boolean cpusKnown) {}

    /**
     * @param ordinal which of its kind, from 1
     * @param begun an agent said that it was at work on it
     * @param steady null: its phases had fixed times
     * @param endedAt null: it has not ended
     */
    public record Trial(
            long trialId,
            boolean diagnostic,
            int ordinal,
            TrialState state,
            @Nullable Validity validity,
            @Nullable String reason,
            boolean begun,
            @Nullable Steadiness steady,
            @Nullable Instant endedAt,
            Provenance provenance,
            Map<String, MetricValue> metrics) {

        public Trial {
            metrics = Map.copyOf(metrics);
        }

        /** It measured a step, of which an agent of before did not say what was done within it. */
        boolean workDoneUnknown() {
            return done() && metrics.containsKey(TrialNumbers.FAILED) && !metrics.containsKey("throughput_per_s");
        }

        public boolean done() {
            return state == TrialState.DONE;
        }

        /** Whether the step that its numbers are of was warm, and why not; null: nobody judged it. */
        public @Nullable MetricValue warm() {
            return metrics.get("warm");
        }

        /** Its generator did not spoil it, and it came to a steady state if it looked for one. */
        boolean sound() {
            return validity != Validity.INVALID && steady != Steadiness.NO_STEADY_STATE;
        }
    }

    public List<Trial> scored() {
        return trials.stream().filter(t -> !t.diagnostic()).toList();
    }

    /** Of the hits of each scored trial that measured something. */
    List<Double> failedShares() {
        return scored().stream()
                .filter(Trial::done)
                .flatMap(t -> Optional.ofNullable(t.metrics().get(TrialNumbers.FAILED)).stream())
                .map(MetricValue::value)
                .toList();
    }

    /**
     * Whether every scored trial that was planned has ended, and any of them had begun: a cell that a cancelled run never
     * came to has nothing to say.
     */
    public boolean complete() {
        List<Trial> scored = scored();
        return scored.stream().anyMatch(Trial::begun)
                && scored.stream().allMatch(trial -> trial.state().ended());
    }

    /** Whether a scored trial was given up from outside: no outcome of the server's. */
    public boolean cutShort() {
        return scored().stream().anyMatch(trial -> trial.state() == TrialState.ABORTED);
    }
}
