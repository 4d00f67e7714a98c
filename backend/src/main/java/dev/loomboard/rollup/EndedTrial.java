package dev.loomboard.rollup;

import dev.loomboard.measurement.SearchEnd;
import dev.loomboard.measurement.TrialEnd;
import dev.loomboard.measurement.Validity;
import dev.loomboard.stats.latency.Failures;
import dev.loomboard.stats.latency.Latencies;
import dev.loomboard.stats.latency.Quantile;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
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

    public long declaredDelayNanos() {
        return StrictMath.round(declaredDelayMs * 1e6);
    }

    /**
     * Times in ns from the trial's start.
     *
     * @param rate hits per second that were offered; null: a closed load
     * @param deadlineNanos of a hit
     * @param lag of the generator
     */
    public record Step(
            long stepId,
            int ordinal,
            @Nullable Double rate,
            long startNanos,
            long endNanos,
            Counts counts,
            Validity validity,
            long deadlineNanos,
            Lag lag,
            Hits hits) {

        public @Nullable Long completedInStep() {
            return counts.inStep();
        }

        public double seconds() {
            return (endNanos - startNanos) / 1e9;
        }

        public double failedShare() {
            return counts.failedShare();
        }

        StepPercentiles.Deadline deadline() {
            return new StepPercentiles.Deadline(deadlineNanos, failedShare());
        }

        public Latencies responses() {
            return hits.responses(deadlineNanos);
        }

        public Latencies services() {
            return hits.services(deadlineNanos);
        }

        /** Whether a search's rate, which is sent in thousandths, is this one's. */
        boolean at(double wanted) {
            return validity == Validity.VALID && rate != null && StrictMath.abs(rate - wanted) <= 0.001;
        }

        /** Whether the server withstood it. */
        public boolean passed() {
            return validity == Validity.VALID && failedShare() <= Failures.MOST;
        }
    }

    /**
     * Hits of a step.
     *
     * @param inStep successes within the step; null: the agent did not say, and some of {@code completed} may have been
     *     answered after its end
     */
    public record Counts(
            long offered,
            long completed,
            long failed,
            long unfinished,
            @Nullable Long inStep) {

        /** Without a complete and right answer, as a share of what was offered. */
        double failedShare() {
            return offered == 0 ? 0 : (double) (offered - completed) / offered;
        }
    }

    /**
     * What came of the hits of one operation of a mix in a step.
     *
     * @param step its ordinal
     */
    public record Operation(int step, String name, Counts counts, Hits hits) {}

    /**
     * By how much hits left late by the generator's doing, in ns: nothing of a closed load, and nothing known where they
     * waited for a saturated server.
     */
    public record Lag(@Nullable Long p50, @Nullable Long p99) {

        /** What may have moved a percentile of response time: the median's lag the median, p99 what lies beyond. */
        public @Nullable Long at(Quantile quantile) {
            return quantile == Quantile.P50 ? p50 : p99;
        }
    }

    /** Encoded histograms of a step or of one of its seconds; null: no failures; no response: a closed load; no excess: no declared delay, or not sent. */
    @SuppressWarnings("ArrayRecordComponent") // read once, never compared
    public record Hits(
            byte[] service,
            byte @Nullable [] serviceFailed,
            byte @Nullable [] response,
            byte @Nullable [] responseFailed,
            byte @Nullable [] excess,
            long belowDelay) {

        public Latencies responses(long deadlineNanos) {
            return response == null ? Latencies.none() : Latencies.ofAll(response, responseFailed, deadlineNanos);
        }

        public Latencies services(long deadlineNanos) {
            return Latencies.ofAll(service, serviceFailed, deadlineNanos);
        }

        /**
         * Response − declared delay of all hits: of successes by their own histogram, which has digits of its own; of those
         * that came early 0; of all others their deadline. Empty: it was not sent.
         *
         * @param responses of all hits
         */
        public Optional<Latencies> excesses(Latencies responses, long deadlineNanos, long delayNanos) {
            if (delayNanos == 0) {
                return Optional.of(responses);
            }
            if (excess == null) {
                return Optional.empty();
            }
            Latencies late = Latencies.decode(excess);
            long others = responses.count() - belowDelay - late.count();
            return Optional.of(late.with(0, belowDelay).with(StrictMath.max(0, deadlineNanos - delayNanos), others));
        }
    }

    /** Of the highest rate that a search found: where its latency is told, too, since at the rate itself a server queues. */
    private static final double SHARE = 0.7;
    /** A search rounds its rates to a tenth. */
    private static final double ROUNDED = 0.06;

    /** The step of a search's curve at 70 % of the rate that it found; empty: it measured none there. */
    Optional<Step> atShare() {
        SearchEnd search = end.search();
        if (search == null || search.maxRate() == null) {
            return Optional.empty();
        }
        double wanted = SHARE * search.maxRate();
        Set<Integer> curve = search.steps().stream()
                .filter(step -> step.role() == SearchEnd.Role.CURVE)
                .map(SearchEnd.Step::ordinal)
                .collect(Collectors.toSet());
        return steps.stream()
                .filter(step -> curve.contains(step.ordinal())
                        && step.validity() == Validity.VALID
                        && step.rate() != null
                        && StrictMath.abs(step.rate() - wanted) <= ROUNDED)
                .reduce((a, b) -> b);
    }

    /** The step whose numbers are the trial's: the only one, of a search the last at the rate it found, of others the last that the server withstood. */
    public Optional<Step> telling() {
        if (oneStep) {
            return steps.stream().findFirst();
        }
        Double found = end.search() == null ? null : end.search().maxRate();
        return steps.stream()
                .filter(step -> found == null ? step.passed() : step.at(found))
                .reduce((a, b) -> b);
    }
}
