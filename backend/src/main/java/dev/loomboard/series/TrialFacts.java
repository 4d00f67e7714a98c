package dev.loomboard.series;

import dev.loomboard.stats.Latencies;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * What a roll-up needs to know of an ended trial.
 *
 * @param declaredDelayMs what the workload itself waits
 * @param oneStep the load has a single rate: then its step speaks for the trial whatever came of it
 * @param endFacts the wire's TrialEnd
 * @param columns by metric
 */
record TrialFacts(
        long trialId,
        long cellId,
        boolean diagnostic,
        boolean late,
        double declaredDelayMs,
        boolean oneStep,
        JsonNode endFacts,
        List<Step> steps,
        Map<String, Column> columns) {

    TrialFacts {
        steps = List.copyOf(steps);
        columns = Map.copyOf(columns);
    }

    /**
     * Times in ns from the trial's start.
     *
     * @param throughput completions per second within the step; null: an open load, whose completions all belong to the
     *     step that intended them
     */
    record Step(
            long stepId,
            int ordinal,
            long startNanos,
            long endNanos,
            long offered,
            long completed,
            long failed,
            long unfinished,
            String validity,
            @Nullable Double throughput,
            Hits hits) {

        double seconds() {
            return (endNanos - startNanos) / 1e9;
        }

        double completedPerSecond() {
            return throughput == null ? completed / seconds() : throughput;
        }

        /** Right or wrong: all that cost the server work within the step. */
        double answered() {
            return (throughput == null ? completed : throughput * seconds()) + failed;
        }

        boolean clean() {
            return validity.equals("valid") && failed == 0 && unfinished == 0;
        }
    }

    /** Encoded histograms; null: no failures; no response: a closed load. */
    @SuppressWarnings("ArrayRecordComponent") // read once, never compared
    record Hits(
            byte[] service,
            byte @Nullable [] serviceFailed,
            byte @Nullable [] response,
            byte @Nullable [] responseFailed) {

        Latencies responses() {
            return response == null ? Latencies.none() : Latencies.merged(response, responseFailed);
        }

        Latencies services() {
            return Latencies.merged(service, serviceFailed);
        }
    }

    /** A second of a measured step. */
    record Second(int step, Hits hits) {}

    /** The step whose numbers are the trial's: the only one, or of many the last that is valid and without failures. */
    Optional<Step> telling() {
        return oneStep
                ? steps.stream().findFirst()
                : steps.stream().filter(Step::clean).reduce((a, b) -> b);
    }
}
