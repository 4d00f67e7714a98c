package dev.loomboard.rollup;

import dev.loomboard.measurement.TrialEnd;
import dev.loomboard.measurement.Validity;
import dev.loomboard.stats.Latencies;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a roll-up needs to know of an ended trial.
 *
 * @param declaredDelayMs what the workload itself waits
 * @param oneStep the load has a single rate: then its step speaks for the trial whatever came of it
 * @param columns by metric
 */
public record EndedTrial(
        long trialId,
        long cellId,
        boolean diagnostic,
        boolean late,
        double declaredDelayMs,
        boolean oneStep,
        TrialEnd end,
        List<Step> steps,
        Map<String, SampleColumn> columns) {

    public EndedTrial {
        steps = List.copyOf(steps);
        columns = Map.copyOf(columns);
    }

    /**
     * Times in ns from the trial's start.
     *
     * @param throughput completions per second within the step; null: an open load, whose completions all belong to the
     *     step that intended them
     */
    public record Step(
            long stepId,
            int ordinal,
            long startNanos,
            long endNanos,
            long offered,
            long completed,
            long failed,
            long unfinished,
            Validity validity,
            @Nullable Double throughput,
            Hits hits) {

        public double seconds() {
            return (endNanos - startNanos) / 1e9;
        }

        public double completedPerSecond() {
            return throughput == null ? completed / seconds() : throughput;
        }

        /** Right or wrong: all that cost the server work within the step. */
        public double answered() {
            return (throughput == null ? completed : throughput * seconds()) + failed;
        }

        public boolean clean() {
            return validity == Validity.VALID && failed == 0 && unfinished == 0;
        }
    }

    /** Encoded histograms of a step or of one of its seconds; null: no failures; no response: a closed load. */
    @SuppressWarnings("ArrayRecordComponent") // read once, never compared
    public record Hits(
            byte[] service,
            byte @Nullable [] serviceFailed,
            byte @Nullable [] response,
            byte @Nullable [] responseFailed) {

        public Latencies responses() {
            return response == null ? Latencies.none() : Latencies.merged(response, responseFailed);
        }

        public Latencies services() {
            return Latencies.merged(service, serviceFailed);
        }
    }

    /** The step whose numbers are the trial's: the only one, or of many the last that is valid and without failures. */
    public Optional<Step> telling() {
        return oneStep
                ? steps.stream().findFirst()
                : steps.stream().filter(Step::clean).reduce((a, b) -> b);
    }
}
