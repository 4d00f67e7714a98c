package dev.loomboard.ingest;

import dev.loomboard.measurement.TrialEnd;
import dev.loomboard.rollup.EndedTrial;
import dev.loomboard.rollup.SampleColumn;
import dev.loomboard.stats.latency.Latencies;
import dev.loomboard.view.Format;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What in a trial cannot have been measured. All tolerances stand here; each is wide enough for an
 * honest machine whose clock and samples are as good as clocks and samples are. What is not known refutes nothing.
 */
public final class Plausibility {

    /** An answer is early if it comes before the declared delay by more than this share of it, … */
    public static final double EARLY_SHARE = 0.02;
    /** … and by more than this many ms. */
    public static final double EARLY_MS = 1;
    /** More of a step's successes must not be early. */
    public static final double MOST_EARLY = 0.001;
    /** Memory of any JVM, in MiB. */
    public static final double LEAST_MIB = 16;
    /** Of the heap that was live before a step, that must be in memory: a host may have swapped some of it out. */
    public static final double LEAST_LIVE = 0.5;
    /** CPU time over cores × time: ticks are no exact moments. */
    public static final double MOST_CPU = 1.1;
    /** Between the agent's clock, once its skew is taken off, and ours. */
    public static final Duration CLOCKS = Duration.ofMinutes(1);
    /** Of two trials of a run. */
    public static final Duration OVERLAP = Duration.ofSeconds(5);

    private static final double NANOS_PER_MS = 1e6;
    private static final double MIB = 1024 * 1024;

    private Plausibility() {}

    /**
     * When it was measured, by our clock, and on what.
     *
     * @param claimed when the run was first claimed; null: not known, and no time is judged
     * @param began its agent's clock at offset 0 less the skew; null: no batch said it
     * @param ended the last time that it reports; null: none
     * @param stored when its last batch came
     * @param overlap with another trial of its run; null: none
     * @param cpus logical ones of its machine; null: not known
     * @param jvm the server runs in one
     * @param largePages the heap may lie in pages that do not count as the process's memory
     */
    record Circumstances(
            @Nullable Instant claimed,
            @Nullable Instant began,
            @Nullable Instant ended,
            Instant stored,
            @Nullable Overlap overlap,
            @Nullable Double cpus,
            boolean jvm,
            boolean largePages) {}

    /** @param trial external id of the other */
    record Overlap(String trial, Duration by) {}

    /** Why it cannot be, as one sentence; empty: it can. */
    static Optional<String> refutation(EndedTrial trial, Circumstances of) {
        if (trial.end().outcome() != TrialEnd.Outcome.DONE) {
            return Optional.empty(); // it says of itself that it is no result
        }
        List<String> reasons = new ArrayList<>(times(of));
        trial.steps().stream()
                .map(step -> contradictions(trial, step, of))
                .filter(found -> !found.isEmpty())
                .findFirst() // of hundreds
                .ifPresent(reasons::addAll);
        return reasons.isEmpty() ? Optional.empty() : Optional.of("impossible: " + String.join("; ", reasons));
    }

    private static List<String> contradictions(EndedTrial trial, EndedTrial.Step step, Circumstances of) {
        return Stream.of(early(trial, step), memory(trial, step, of), cpu(trial, step, of.cpus()))
                .flatMap(Optional::stream)
                .map(what -> "in step " + step.ordinal() + " " + what)
                .toList();
    }

    private static List<String> times(Circumstances of) {
        List<String> reasons = new ArrayList<>();
        if (of.claimed() == null || of.began() == null || of.ended() == null) {
            return reasons;
        }
        if (of.began().isBefore(of.claimed().minus(CLOCKS))) {
            reasons.add("it began " + Format.duration(Duration.between(of.began(), of.claimed()))
                    + " before its run was claimed");
        }
        if (of.ended().isAfter(of.stored().plus(CLOCKS))) {
            reasons.add("it ends " + Format.duration(Duration.between(of.stored(), of.ended()))
                    + " after the last of it was uploaded");
        }
        Overlap overlap = of.overlap();
        if (overlap != null && overlap.by().compareTo(OVERLAP) > 0) {
            reasons.add("it overlaps " + overlap.trial() + " of its run by " + Format.duration(overlap.by()));
        }
        return reasons;
    }

    /** Service and response time alike: either ranks. */
    private static Optional<String> early(EndedTrial trial, EndedTrial.Step step) {
        double delay = trial.declaredDelayMs();
        double least = delay - Math.max(EARLY_MS, EARLY_SHARE * delay);
        return least <= 0
                ? Optional.empty()
                : Stream.concat(
                                Stream.of(step.hits().service()),
                                Stream.ofNullable(step.hits().response()))
                        .map(Latencies::decode)
                        .flatMap(successes -> early(successes, least).stream())
                        .map(early -> early + " ms, its workload waits " + Format.plain(delay) + " ms")
                        .findFirst();
    }

    private static Optional<String> early(Latencies successes, double leastMs) {
        long early = successes.count() - successes.from(Math.round(leastMs * NANOS_PER_MS));
        return early <= MOST_EARLY * successes.count()
                ? Optional.empty()
                : Optional.of(Format.count(early) + " of " + Format.count(successes.count())
                        + " successful answers took less than " + Format.three(leastMs));
    }

    private static Optional<String> memory(EndedTrial trial, EndedTrial.Step step, Circumstances of) {
        SampleColumn column = trial.columns().get("proc.rss_bytes");
        OptionalDouble most = column == null ? OptionalDouble.empty() : column.max(step.startNanos(), step.endNanos());
        if (most.isEmpty()) {
            return Optional.empty();
        }
        double resident = most.getAsDouble() / MIB;
        double live = of.largePages() ? 0 : live(trial, step);
        if (of.jvm() && resident < LEAST_MIB) {
            return Optional.of("the server had " + Format.three(resident)
                    + " MiB of memory at most, a JVM has at least " + Format.plain(LEAST_MIB));
        }
        return resident >= live * LEAST_LIVE
                ? Optional.empty()
                : Optional.of("the server had " + Format.three(resident) + " MiB of memory at most, "
                        + Format.three(live) + " MiB of its heap were live");
    }

    /** MiB of the heap that the last forced collection before the step left; 0: there was none. */
    private static double live(EndedTrial trial, EndedTrial.Step step) {
        Long bytes = null;
        for (TrialEnd.GcProof proof : trial.end().gcProof()) {
            if (proof.heapAfterBytes() != null && proof.atNs() <= step.startNanos()) {
                bytes = proof.heapAfterBytes();
            }
        }
        return bytes == null ? 0 : bytes / MIB;
    }

    private static Optional<String> cpu(EndedTrial trial, EndedTrial.Step step, @Nullable Double cpus) {
        OptionalDouble used = cores(trial, step);
        return cpus == null || used.isEmpty() || used.getAsDouble() <= cpus * MOST_CPU
                ? Optional.empty()
                : Optional.of("the server used " + Format.three(used.getAsDouble()) + " CPUs, the machine has "
                        + Format.plain(cpus));
    }

    private static OptionalDouble cores(EndedTrial trial, EndedTrial.Step step) {
        OptionalDouble exact = perSecond(trial, step, "proc.cpu_s");
        OptionalDouble user = perSecond(trial, step, "proc.cpu_user_s");
        OptionalDouble system = perSecond(trial, step, "proc.cpu_sys_s");
        if (exact.isPresent() || user.isEmpty()) {
            return exact;
        }
        return OptionalDouble.of(user.getAsDouble() + system.orElse(0));
    }

    private static OptionalDouble perSecond(EndedTrial trial, EndedTrial.Step step, String counter) {
        SampleColumn column = trial.columns().get(counter);
        return column == null
                ? OptionalDouble.empty()
                : column.rise(step.startNanos(), step.endNanos()).stream()
                        .mapToDouble(SampleColumn.Rise::perSecond)
                        .findFirst();
    }
}
