package dev.loomboard.rollup;

import dev.loomboard.catalog.Metric;
import dev.loomboard.catalog.Metrics;
import dev.loomboard.measurement.SearchEnd;
import dev.loomboard.measurement.SteadyState;
import dev.loomboard.measurement.TrialEnd;
import dev.loomboard.measurement.Warmth;
import dev.loomboard.stats.latency.Latencies;
import dev.loomboard.stats.latency.Quantile;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A trial in numbers: the metrics of the catalogue whose level is trial. What was not measured is absent. The numbers
 * are those of the step that {@link EndedTrial#telling} names; a ramp that never had a clean step has none of them.
 */
public final class TrialNumbers {

    public static final String FAILED = "error_ratio";

    private static final double NANOS_PER_MS = 1e6;
    private static final double MIB = 1024 * 1024;
    private static final double MIB_IN_GIB = 1024;
    /** Of the server's CPU time: with a larger share of the compilers CPU per request is not that of its code. */
    private static final double MOST_JIT_SHARE = 0.05;

    /** What a step says nothing of whose times moved, nor one that was not warm. */
    private static final Set<String> OF_STEADY_TIMES =
            Set.of("response_p50_ms", "response_excess_p50_ms", "service_p50_ms", "response_mean_ms");

    /** What a step that was not warm says nothing of besides. */
    private static final Set<String> OF_WARM_CODE =
            Set.of("cpu_cores", "cpu_us_per_request", "cpu_app_us_per_request", "throughput_per_core");

    private static final String NEVER_COMPARED = "measured in a diagnostic trial, whose speed is never compared";

    private final EndedTrial facts;
    private final Map<String, MetricValue> metrics = new LinkedHashMap<>();

    /** Why the step was not warm; null: it was, or nobody judged it. */
    private @Nullable String cold;

    /** That, or else why its times moved; null: they did not. */
    private @Nullable String unsteady;

    private TrialNumbers(EndedTrial facts) {
        this.facts = facts;
    }

    /** @param steps those of the facts, with their percentiles */
    public static Map<String, MetricValue> of(EndedTrial facts, List<StepNumbers> steps) {
        TrialNumbers numbers = new TrialNumbers(facts);
        facts.telling().flatMap(telling -> of(telling, steps)).ifPresent(numbers::step);
        facts.atShare().flatMap(step -> of(step, steps)).ifPresent(numbers::atShare);
        numbers.ofEnd();
        return numbers.metrics;
    }

    private static Optional<StepNumbers> of(EndedTrial.Step step, List<StepNumbers> all) {
        return all.stream().filter(s -> s.step().ordinal() == step.ordinal()).findFirst();
    }

    /**
     * One operation of a mix in a step: what the hits alone tell of it, made as for all of them. CPU time, memory and pauses are nobody's
     * in particular.
     */
    public static Map<String, MetricValue> ofOperation(
            EndedTrial facts, StepNumbers whole, EndedTrial.Operation operation) {
        TrialNumbers numbers = new TrialNumbers(facts);
        numbers.warm(facts.end().warmthOf(whole.step().ordinal()));
        EndedTrial.Hits hits = operation.hits();
        StepPercentiles.Deadline deadline = new StepPercentiles.Deadline(
                whole.step().deadlineNanos(), operation.counts().failedShare());
        Latencies response = hits.responses(deadline.nanos());
        Latencies service = hits.services(deadline.nanos());
        StepNumbers.Judged judged = whole.judged().ofPart(response, service);
        numbers.latencies(
                StepPercentiles.of(hits, response, service, judged, deadline, facts.declaredDelayNanos()),
                response,
                whole.step().lag());
        numbers.outcomes(whole.step(), operation.counts());
        return numbers.metrics;
    }

    private static @Nullable String cold(Optional<Warmth> warmth) {
        return warmth.map(Warmth::reason).map(why -> "not warm: " + why).orElse(null);
    }

    private static @Nullable String unsteady(Optional<Warmth> warmth) {
        return joined(
                cold(warmth),
                warmth.map(Warmth::drift).map(why -> "unsteady: " + why).orElse(null));
    }

    private void warm(Optional<Warmth> warmth) {
        cold = cold(warmth);
        unsteady = unsteady(warmth);
    }

    private void step(StepNumbers numbers) {
        Optional<Warmth> warmth = facts.end().warmthOf(numbers.step().ordinal());
        warm(warmth);
        warmth.ifPresent(this::warmth);
        latencies(numbers.percentiles(), numbers.response(), numbers.step().lag());
        outcomes(numbers.step(), numbers.step().counts());
        cpu(numbers.step());
        memory(numbers.step());
        cost();
        pauses(numbers.step());
        warmth.flatMap(w -> Optional.ofNullable(w.threadSeconds())).ifPresent(used -> threads(numbers.step(), used));
    }

    private void warmth(Warmth judged) {
        String why = judged.reason();
        put("warm", why == null ? 1 : 0, why);
    }

    private void threads(EndedTrial.Step step, Warmth.ThreadSeconds used) {
        if (step.completedInStep() != null && step.completedInStep() > 0) {
            put("cpu_app_us_per_request", used.app() * 1e6 / step.completedInStep(), null);
            put("cpu_gc_us_per_request", used.gc() * 1e6 / step.completedInStep(), null);
            put("cpu_vm_us_per_request", used.vm() * 1e6 / step.completedInStep(), null);
        }
        if (used.all() <= 0) {
            return;
        }
        double share = used.jit() / used.all();
        put("jit_cpu_share", share, null);
        MetricValue total = metrics.get("cpu_us_per_request");
        if (share > MOST_JIT_SHARE && total != null) {
            put("cpu_us_per_request", total.value(), "the JVM's compilers used %.0f %% of it".formatted(100 * share));
        }
    }

    private void latencies(StepPercentiles percentiles, Latencies responses, EndedTrial.Lag lag) {
        for (Quantile quantile : Quantile.values()) {
            String label = quantile.label();
            StepPercentiles.Value response = percentiles.response().get(label);
            if (response != null) {
                late("response_" + label + "_ms", response, lag.at(quantile));
            }
            StepPercentiles.Value excess = percentiles.excess().get(label);
            if (excess != null) {
                late("response_excess_" + label + "_ms", excess, lag.at(quantile));
            }
            StepPercentiles.Value service = percentiles.service().get(label);
            if (service != null) {
                put("service_" + label + "_ms", service.nanos() / NANOS_PER_MS, service.reason());
            }
        }
        responses.mean().ifPresent(nanos -> put("response_mean_ms", nanos / NANOS_PER_MS, null));
        responses.max().ifPresent(nanos -> put("response_max_ms", nanos / NANOS_PER_MS, null));
    }

    /** At 70 % of the rate that a search found. */
    private void atShare(StepNumbers numbers) {
        Map<String, StepPercentiles.Value> response = numbers.percentiles().response();
        String moved = unsteady(facts.end().warmthOf(numbers.step().ordinal()));
        StepPercentiles.Value p50 = response.get(Quantile.P50.label());
        if (p50 != null) {
            String reason = joined(moved, p50.reason());
            late(
                    "response_p50_at_70_ms",
                    new StepPercentiles.Value(p50.nanos(), reason == null, reason),
                    numbers.step().lag().p50());
        }
        StepPercentiles.Value p99 = response.get(Quantile.P99.label());
        if (p99 != null) {
            late("response_p99_at_70_ms", p99, numbers.step().lag().p99());
        }
    }

    /** A time that holds the generator's lag, too. */
    private void late(String name, StepPercentiles.Value value, @Nullable Long lagNanos) {
        double millis = value.nanos() / NANOS_PER_MS;
        put(name, millis, joined(value.reason(), GeneratorLag.tooLarge(name, millis, lagNanos)));
    }

    /** @param counts of the step, or of one operation in it */
    private void outcomes(EndedTrial.Step step, EndedTrial.Counts counts) {
        if (step.seconds() > 0 && counts.inStep() != null) {
            boolean closed = step.hits().response() == null;
            put("throughput_per_s", counts.inStep() / step.seconds(), closed ? unsteady : null);
        }
        if (counts.offered() > 0) {
            put(FAILED, counts.failedShare(), null);
        }
    }

    /** By the scheduler's clock; where there is none, by user and system time in ticks of 10 ms. */
    private void cpu(EndedTrial.Step step) {
        Optional<SampleColumn.Rise> used = rise(SampledMetric.CPU, step);
        if (used.isPresent()) {
            cpu(step, used.get().by(), used.get().perSecond());
            return;
        }
        Optional<SampleColumn.Rise> user = rise(SampledMetric.CPU_USER, step);
        Optional<SampleColumn.Rise> system = rise(SampledMetric.CPU_SYSTEM, step);
        if (user.isPresent() && system.isPresent()) {
            cpu(
                    step,
                    user.get().by() + system.get().by(),
                    user.get().perSecond() + system.get().perSecond());
        }
    }

    private void cpu(EndedTrial.Step step, double seconds, double cores) {
        put("cpu_cores", cores, null);
        if (step.completedInStep() != null && step.completedInStep() > 0) {
            put("cpu_us_per_request", seconds * 1e6 / step.completedInStep(), null);
        }
    }

    private void memory(EndedTrial.Step step) {
        max(SampledMetric.RESIDENT, step).ifPresent(bytes -> put("rss_mib", bytes / MIB, null));
        max(SampledMetric.THREADS, step).ifPresent(threads -> put("threads_live", threads, null));
        Long heap = heapAfterGc(step.startNanos());
        if (heap != null) {
            put("heap_after_gc_mib", heap / MIB, null);
        }
    }

    /** What was completed per second for each core that was used and each GiB that was taken. */
    private void cost() {
        per("throughput_per_core", "cpu_cores", 1);
        per("throughput_per_gib", "rss_mib", MIB_IN_GIB);
    }

    private void per(String metric, String resource, double inUnit) {
        MetricValue done = metrics.get("throughput_per_s");
        MetricValue used = metrics.get(resource);
        if (done != null && used != null && used.value() > 0) {
            put(metric, done.value() * inUnit / used.value(), null);
        }
    }

    /** Of the last forced collection before the step. */
    private @Nullable Long heapAfterGc(long beforeNanos) {
        Long bytes = null;
        for (TrialEnd.GcProof proof : facts.end().gcProof()) {
            if (proof.heapAfterBytes() != null && proof.atNs() <= beforeNanos) {
                bytes = proof.heapAfterBytes();
            }
        }
        return bytes;
    }

    private void pauses(EndedTrial.Step step) {
        perSecond("gc_count_per_min", SampledMetric.GC_COUNT, step, 60);
        perSecond("gc_pause_ms_per_s", SampledMetric.GC_PAUSE, step, 1000);
        perSecond("jit_ms_per_s", SampledMetric.JIT_TIME, step, 1000);
        perSecond("safepoints_per_min", SampledMetric.SAFEPOINT_COUNT, step, 60);
        perSecond("safepoint_stop_ms_per_s", SampledMetric.SAFEPOINT_STOP, step, 1000);
        perSecond("safepoint_ttsp_ms_per_s", SampledMetric.SAFEPOINT_REACHING, step, 1000);
        safepointsOfLog();
    }

    /** Where the JVM has no counters, its log counted over all measured steps. */
    private void safepointsOfLog() {
        TrialEnd.Safepoints log = facts.end().safepoints();
        double seconds =
                facts.steps().stream().mapToDouble(EndedTrial.Step::seconds).sum();
        if (log == null || seconds <= 0) {
            return;
        }
        orElse("safepoints_per_min", log.count() * (60 / seconds));
        orElse("safepoint_stop_ms_per_s", log.stopNs() * (1 / NANOS_PER_MS / seconds));
        orElse("safepoint_ttsp_ms_per_s", log.ttspNs() * (1 / NANOS_PER_MS / seconds));
    }

    private void orElse(String metric, double value) {
        if (!metrics.containsKey(metric)) {
            put(metric, value, null);
        }
    }

    private void ofEnd() {
        TrialEnd end = facts.end();
        found("startup_ms", end.startupMs(), 1, null);
        SteadyState steady = end.steady();
        found("time_to_steady_s", steady == null ? null : steady.warmupMs(), 1e-3, null);
        SearchEnd search = end.search();
        if (search != null) {
            String unsure = search.confirmed() && search.resolved()
                    ? null
                    : "the search was not confirmed, or ended before a rate just above failed";
            found("max_rate_per_s", search.maxRate(), 1, unsure);
            found("critical_rate_per_s", search.criticalRate(), 1, unsure);
        }
        TrialEnd.Contention contention = end.contention();
        double requests = facts.steps().stream()
                .mapToDouble(step -> step.completedInStep() == null ? Double.NaN : step.completedInStep())
                .sum();
        if (facts.diagnostic() && contention != null && requests > 0) {
            put("contended_per_1k_requests", (double) contention.monitorTotal() * 1000 / requests, null);
            Long virtual = contention.monitorVirtual();
            if (virtual != null) {
                put("contended_virtual_per_1k_requests", (double) virtual * 1000 / requests, null);
            }
        }
    }

    private void found(String metric, @Nullable Double value, double factor, @Nullable String reason) {
        if (value != null) {
            put(metric, value * factor, reason);
        }
    }

    private void perSecond(String metric, SampledMetric counter, EndedTrial.Step step, double factor) {
        rise(counter, step).ifPresent(rise -> put(metric, rise.perSecond() * factor, null));
    }

    private Optional<SampleColumn.Rise> rise(SampledMetric counter, EndedTrial.Step step) {
        return column(counter).flatMap(column -> column.rise(step.startNanos(), step.endNanos()));
    }

    private Optional<Double> max(SampledMetric gauge, EndedTrial.Step step) {
        return column(gauge).flatMap(column -> {
            var max = column.max(step.startNanos(), step.endNanos());
            return max.isPresent() ? Optional.of(max.getAsDouble()) : Optional.empty();
        });
    }

    private Optional<SampleColumn> column(SampledMetric sampled) {
        return Optional.ofNullable(facts.columns().get(sampled.metric()));
    }

    /** @param reason why it may not be judged; null: it may. What the catalogue does not have is left out. */
    private void put(String name, double value, @Nullable String reason) {
        Optional<Metric> metric = Metrics.all().find(name);
        if (metric.isPresent() && metric.get().ofTrial()) {
            boolean elsewhere = facts.diagnostic() && metric.get().trialKind() == Metric.TrialKinds.SCORED;
            String moved = OF_STEADY_TIMES.contains(name) ? unsteady : OF_WARM_CODE.contains(name) ? cold : null;
            String found = joined(moved, reason);
            String why = elsewhere ? joined(NEVER_COMPARED, found) : found;
            metrics.put(name, new MetricValue(value, why == null, why));
        }
    }

    private static @Nullable String joined(@Nullable String one, @Nullable String other) {
        if (one == null || other == null) {
            return one == null ? other : one;
        }
        return one + "; " + other;
    }
}
