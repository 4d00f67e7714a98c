package dev.loomboard.rollup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.loomboard.catalog.Metrics;
import dev.loomboard.cell.WireName;
import dev.loomboard.measurement.MetricValue;
import dev.loomboard.measurement.StoredJson;
import dev.loomboard.measurement.TrialEnd;
import dev.loomboard.measurement.Validity;
import dev.loomboard.stats.Latencies;
import dev.loomboard.trial.Curves;
import dev.loomboard.trial.SampleSeries;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** From histograms and samples to numbers, without a database. */
final class TrialNumbersTest {

    private static final long SECOND = 1_000_000_000L;
    private static final long MS = 1_000_000L;
    private static final String END = """
            {"startupMs": 2215.4, "gcProof": [{"atNs": 9000000000, "heapAfterBytes": 20971520},
                                              {"atNs": 99000000000, "heapAfterBytes": 1}],
             "safepoints": {"count": 6, "stopNs": 12000000, "ttspNs": 1200000},
             "contention": {"source": "jvmti", "monitorTotal": 36, "monitorVirtual": null}}
            """;

    @Test
    void numbers_of_a_step_are_in_the_catalogues_units() {
        Map<String, MetricValue> m = numbers(facts(false, List.of(step(0, "valid", 0)), columns()));
        assertThat(value(m, "response_p50_ms")).isCloseTo(101, within(0.1));
        assertThat(value(m, "response_excess_p50_ms")).isCloseTo(1, within(0.1));
        assertThat(value(m, "service_p50_ms")).isCloseTo(100.5, within(0.1));
        assertThat(value(m, "response_max_ms")).isCloseTo(150, within(0.2));
        assertThat(value(m, "throughput_per_s")).isEqualTo(300);
        assertThat(value(m, "error_ratio")).isZero();
        assertThat(value(m, "cpu_cores")).isCloseTo(0.5, within(1e-9));
        assertThat(value(m, "cpu_us_per_request")).isCloseTo(6e6 / 3600, within(1e-6));
        assertThat(value(m, "rss_mib")).isEqualTo(256);
        assertThat(value(m, "throughput_per_core")).isCloseTo(600, within(1e-6)); // 300/s on half a core
        assertThat(value(m, "throughput_per_gib")).isCloseTo(1200, within(1e-9)); // 300/s in a quarter of a GiB
        assertThat(value(m, "heap_after_gc_mib")).isEqualTo(20);
        assertThat(value(m, "safepoints_per_min")).isEqualTo(30); // from the log: no counter was sampled
        assertThat(value(m, "safepoint_stop_ms_per_s")).isCloseTo(1, within(1e-9));
        assertThat(value(m, "startup_ms")).isEqualTo(2215.4);
        assertThat(m.keySet())
                .allSatisfy(name -> assertThat(Metrics.all().find(name)).isPresent());
    }

    @Test
    void what_was_not_measured_is_absent_and_never_zero() {
        Map<String, MetricValue> m = numbers(facts(false, List.of(step(0, "valid", 0)), Map.of()));
        assertThat(m)
                .doesNotContainKeys("cpu_cores", "cpu_us_per_request", "rss_mib", "threads_live", "gc_count_per_min")
                .doesNotContainKeys("throughput_per_core", "throughput_per_gib");
        assertThat(m).doesNotContainKeys("contended_per_1k_requests"); // scored trials carry no counter of it
        Map<String, SampleColumn> half = Map.of(
                "proc.cpu_user_s",
                column(0, 0.25),
                "proc.cpu_sys_s",
                new SampleColumn(new long[] {10 * SECOND, 22 * SECOND}, new @Nullable Double[] {null, 3.0}));
        assertThat(numbers(facts(false, List.of(step(0, "valid", 0)), half))).doesNotContainKey("cpu_cores");
    }

    @Test
    void cpu_time_is_the_scheduler_s_where_it_was_read_and_else_of_ticks() {
        Map<String, SampleColumn> columns = new HashMap<>(columns());
        double ofTicks = value(numbers(facts(false, List.of(step(0, "valid", 0)), columns)), "cpu_cores");
        columns.put("proc.cpu_s", column(7, 0.4321));
        Map<String, MetricValue> m = numbers(facts(false, List.of(step(0, "valid", 0)), columns));
        assertThat(ofTicks).isCloseTo(0.5, within(1e-9));
        assertThat(value(m, "cpu_cores")).isCloseTo(0.4321, within(1e-9));
        assertThat(value(m, "cpu_us_per_request")).isCloseTo(0.4321e6 / 300, within(1e-6));
    }

    @Test
    void compilation_while_measured_is_told_per_second() {
        Map<String, SampleColumn> columns = Map.of("jvm.jit_time_s", column(12, 0.033));
        Map<String, MetricValue> m = numbers(facts(false, List.of(step(0, "valid", 0)), columns));
        assertThat(value(m, "jit_ms_per_s")).isCloseTo(33, within(1e-9));
    }

    private static final EndedTrial.Lag PROMPT = new EndedTrial.Lag(8_000L, 60_000L);
    private static final EndedTrial.Lag NONE = new EndedTrial.Lag(null, null);

    @Test
    void percentile_is_judged_only_where_the_generator_s_lag_is_below_a_quarter_of_its_margin() {
        EndedTrial.Lag slow = new EndedTrial.Lag(14_000L, 1_500_000L);
        Map<String, MetricValue> m = numbers(facts(false, List.of(step(0, "valid", 0, slow)), Map.of()));
        // 2 % of 101 ms, and of an excess of 1 ms the 50 µs that are the least that matters: a quarter of each.
        assertThat(metric(m, "response_p50_ms").eligible()).isTrue();
        assertThat(metric(m, "response_excess_p50_ms").reason())
                .isEqualTo("requests left 14 µs late, 13 µs at most may be judged");
        assertThat(metric(m, "response_excess_p99_ms").reason()).contains("requests left 1500 µs late");
        assertThat(metric(m, "service_p50_ms").eligible()).isTrue();
        for (EndedTrial.Lag fine : List.of(PROMPT, NONE)) {
            Map<String, MetricValue> judged = numbers(facts(false, List.of(step(0, "valid", 0, fine)), Map.of()));
            assertThat(metric(judged, "response_excess_p50_ms").eligible()).isTrue();
        }
    }

    private static final String JUDGED = """
            {"warmth": [{"step": 0, "criterion": "step/1", "hitsBefore": 600, "collections": 0,
                         "threadSeconds": {"app": 4.5, "jit": %s, "gc": 0.3, "vm": 0.1, "other": 0.1}, "unmet": [%s]}]}
            """;

    @Test
    void cpu_time_is_told_by_class_of_thread() {
        Map<String, MetricValue> m = numbers(warmth(JUDGED.formatted("0.2", "")));
        assertThat(value(m, "cpu_app_us_per_request")).isCloseTo(4.5e6 / 3600, within(1e-9));
        assertThat(value(m, "cpu_gc_us_per_request")).isCloseTo(0.3e6 / 3600, within(1e-9));
        assertThat(value(m, "cpu_vm_us_per_request")).isCloseTo(0.1e6 / 3600, within(1e-9));
        assertThat(value(m, "jit_cpu_share")).isCloseTo(0.2 / 5.2, within(1e-9));
        assertThat(value(m, "warm")).isEqualTo(1);
        assertThat(metric(m, "cpu_us_per_request").eligible()).isTrue();
        assertThat(metric(m, "response_p50_ms").eligible()).isTrue();
        assertThat(numbers(warmth("{}"))).doesNotContainKeys("warm", "jit_cpu_share", "cpu_app_us_per_request");
    }

    @Test
    void cpu_per_request_that_compilers_used_is_not_judged() {
        MetricValue cpu = metric(numbers(warmth(JUDGED.formatted("1.25", ""))), "cpu_us_per_request");
        assertThat(cpu.reason()).isEqualTo("the JVM's compilers used 20 % of it");
        assertThat(cpu.eligible()).isFalse();
    }

    @Test
    void step_that_was_not_warm_says_nothing_of_cpu_and_median() {
        Map<String, MetricValue> m =
                numbers(warmth(JUDGED.formatted("0.2", "\"600 requests before it of 20000\", \"it moved\"")));
        assertThat(metric(m, "warm")).isEqualTo(new MetricValue(0, false, "600 requests before it of 20000; it moved"));
        for (String metric : List.of(
                "response_p50_ms",
                "response_excess_p50_ms",
                "service_p50_ms",
                "response_mean_ms",
                "cpu_us_per_request",
                "cpu_app_us_per_request",
                "cpu_cores",
                "throughput_per_core")) {
            assertThat(metric(m, metric).reason())
                    .as(metric)
                    .isEqualTo("not warm: 600 requests before it of 20000; it moved");
        }
        assertThat(metric(m, "rss_mib").eligible()).isTrue();
        assertThat(metric(m, "throughput_per_s").eligible()).as("open load").isTrue();
    }

    private static EndedTrial warmth(String end) {
        return new EndedTrial(
                1,
                1,
                false,
                false,
                100,
                true,
                StoredJson.read(end, TrialEnd.class),
                List.of(step(0, "valid", 0)),
                columns());
    }

    @Test
    void percentile_with_few_hits_beyond_it_says_so() {
        Map<String, MetricValue> m = numbers(facts(false, List.of(step(0, "valid", 0)), Map.of()));
        assertThat(metric(m, "response_p50_ms").eligible()).isTrue();
        assertThat(metric(m, "response_p99_ms").eligible()).isFalse();
        assertThat(metric(m, "response_p99_ms").reason()).startsWith("36 of 3600 hits lie beyond p99");
    }

    @Test
    void early_answers_are_counted_apart_and_their_excess_is_not_judged() {
        EndedTrial.Step all = step(0, "valid", 0);
        byte[] few = Latencies.none().with(MS, 600).encode();
        EndedTrial.Step early = with(
                all,
                3600L,
                new EndedTrial.Hits(all.hits().service(), null, all.hits().response(), null, few, 3000));
        MetricValue excess = metric(numbers(facts(false, List.of(early), Map.of())), "response_excess_p50_ms");
        assertThat(excess.value()).isZero();
        assertThat(excess.eligible()).isFalse();
        assertThat(excess.reason()).contains("before the declared delay");
        assertThat(value(numbers(facts(false, List.of(early), Map.of())), "response_excess_p99_ms"))
                .isCloseTo(1, within(0.001));
    }

    @Test
    void excess_that_was_not_sent_is_missing_and_not_a_difference() {
        EndedTrial.Step all = step(0, "valid", 0);
        EndedTrial.Step old = with(
                all,
                3600L,
                new EndedTrial.Hits(all.hits().service(), null, all.hits().response(), null, null, 0));
        assertThat(numbers(facts(false, List.of(old), Map.of())).keySet())
                .noneMatch(name -> name.startsWith("response_excess"));
    }

    @Test
    void work_whose_time_is_not_known_is_missing_and_not_all_that_was_ever_answered() {
        EndedTrial.Step all = step(0, "valid", 0);
        assertThat(numbers(facts(false, List.of(with(all, null, all.hits())), columns())))
                .containsKeys("cpu_cores", "error_ratio")
                .doesNotContainKeys(
                        "throughput_per_s", "throughput_per_core", "throughput_per_gib", "cpu_us_per_request");
    }

    @Test
    void what_is_answered_while_the_step_drains_is_no_work_of_the_step() {
        EndedTrial.Step all = step(0, "valid", 0);
        Map<String, MetricValue> m = numbers(facts(false, List.of(with(all, 2700L, all.hits())), columns()));
        assertThat(value(m, "throughput_per_s")).isEqualTo(225);
        assertThat(value(m, "throughput_per_core")).isCloseTo(450, within(1e-6));
        assertThat(value(m, "throughput_per_gib")).isCloseTo(900, within(1e-6));
        assertThat(value(m, "cpu_us_per_request")).isCloseTo(6e6 / 2700, within(1e-6));
    }

    @Test
    void ramp_is_told_by_its_last_step_without_failures() {
        List<EndedTrial.Step> ramp =
                List.of(step(0, "valid", 0), step(1, "valid", 0), step(2, "valid", 7), step(3, "invalid", 0));
        EndedTrial facts =
                new EndedTrial(1, 1, false, false, 100, false, StoredJson.read("{}", TrialEnd.class), ramp, Map.of());
        assertThat(facts.telling())
                .hasValueSatisfying(s -> assertThat(s.ordinal()).isEqualTo(1));
        EndedTrial hopeless = new EndedTrial(
                1,
                1,
                false,
                false,
                100,
                false,
                StoredJson.read("{}", TrialEnd.class),
                List.of(step(0, "valid", 7)),
                Map.of());
        assertThat(numbers(hopeless)).isEmpty();
    }

    @Test
    void quick_failures_count_at_their_deadline_and_are_no_requests_served() {
        byte[] quick = Latencies.none().with(MS / 10, 5400).encode();
        EndedTrial.Step good = step(0, "valid", 0);
        EndedTrial.Step sheds = new EndedTrial.Step(
                1,
                0,
                750.0,
                10 * SECOND,
                22 * SECOND,
                9000,
                3600,
                5400,
                0,
                Validity.VALID,
                3600L,
                30 * SECOND,
                PROMPT,
                new EndedTrial.Hits(
                        good.hits().service(),
                        quick,
                        good.hits().response(),
                        quick,
                        good.hits().excess(),
                        0));
        Map<String, MetricValue> m = numbers(facts(false, List.of(sheds), columns()));
        assertThat(value(m, "error_ratio")).isCloseTo(0.6, within(1e-12));
        for (String name : List.of("response_p50_ms", "service_p50_ms", "response_excess_p50_ms")) {
            assertThat(value(m, name)).as(name).isGreaterThan(29_000);
            assertThat(metric(m, name).eligible()).as(name).isFalse();
            assertThat(metric(m, name).reason()).as(name).contains("60.0 % of the hits failed");
        }
        assertThat(value(m, "cpu_us_per_request")).isCloseTo(6e6 / 3600, within(1e-6));
    }

    @Test
    void search_is_told_by_the_rate_it_found() {
        EndedTrial.Step low = step(0, "valid", 0);
        EndedTrial.Step found = step(1, "valid", 2);
        EndedTrial.Step curve = new EndedTrial.Step(
                2,
                2,
                100.0,
                30 * SECOND,
                42 * SECOND,
                1200,
                1200,
                0,
                0,
                Validity.VALID,
                1200L,
                30 * SECOND,
                PROMPT,
                low.hits());
        TrialEnd end = StoredJson.read("""
                {"search": {"maxRate": 300, "confirmed": true, "resolved": true, "why": "", "bounds": [], "steps": []}}
                """, TrialEnd.class);
        EndedTrial facts = new EndedTrial(1, 1, false, false, 100, false, end, List.of(low, found, curve), Map.of());
        assertThat(facts.telling())
                .hasValueSatisfying(s -> assertThat(s.ordinal()).isEqualTo(1));
        assertThat(value(numbers(facts), "error_ratio")).isCloseTo(2.0 / 3600, within(1e-12));
    }

    @Test
    void closed_load_has_service_time_and_a_rate_of_its_own_and_nothing_in_the_place_of_response() {
        EndedTrial.Step open = step(0, "valid", 0);
        EndedTrial.Step closed = new EndedTrial.Step(
                0,
                0,
                null,
                10 * SECOND,
                22 * SECOND,
                3600,
                3600,
                0,
                0,
                Validity.VALID,
                3480L, // 120 of the 3600 were answered after the end
                30 * SECOND,
                NONE,
                new EndedTrial.Hits(open.hits().service(), null, null, null, null, 0));
        Map<String, MetricValue> m = numbers(facts(false, List.of(closed), columns()));
        assertThat(m.keySet()).noneMatch(name -> name.startsWith("response_"));
        assertThat(value(m, "service_p50_ms")).isCloseTo(100.5, within(0.1));
        assertThat(value(m, "throughput_per_s")).isEqualTo(290);
        // Half a core for 12 s, by what was answered meanwhile.
        assertThat(value(m, "cpu_us_per_request")).isCloseTo(6e6 / 3480, within(1e-6));
    }

    @Test
    void diagnostic_trial_counts_contention_and_its_speed_is_not_judged() {
        Map<String, MetricValue> m = numbers(facts(true, List.of(step(0, "valid", 0)), columns()));
        assertThat(value(m, "contended_per_1k_requests")).isEqualTo(10);
        assertThat(metric(m, "contended_per_1k_requests").eligible()).isTrue();
        assertThat(m).doesNotContainKey("contended_virtual_per_1k_requests");
        assertThat(metric(m, "response_p50_ms").eligible()).isFalse();
        assertThat(metric(m, "response_p50_ms").reason()).contains("diagnostic");
    }

    @Test
    void counter_that_fell_has_no_rise() {
        SampleColumn reset = new SampleColumn(new long[] {0, SECOND}, new @Nullable Double[] {5.0, 1.0});
        assertThat(reset.rise(0, SECOND)).isEmpty();
        assertThat(reset.rise(10 * SECOND, 20 * SECOND)).isEmpty(); // no tick is near
        assertThat(reset.max(0, SECOND)).hasValue(5);
    }

    @Test
    void samples_become_rates_and_keep_their_gaps() {
        SampleColumn counter = new SampleColumn(
                new long[] {0, SECOND, 3 * SECOND, 4 * SECOND, 5 * SECOND},
                new @Nullable Double[] {1.0, 2.0, 6.0, null, 7.0});
        SampleSeries rates = Curves.samples(Metrics.all().get("jvm.gc_count"), counter);
        assertThat(rates.rate()).isTrue();
        assertThat(rates.values()).containsExactly(null, 1.0, 2.0, null, null);
        SampleSeries gauge = Curves.samples(Metrics.all().get("proc.rss_bytes"), counter);
        assertThat(gauge.values()).containsExactly(1.0, 2.0, 6.0, null, 7.0);
        assertThat(gauge.merged()).isEqualTo(1);
    }

    @Test
    void long_series_are_thinned_without_hiding_a_peak() {
        int ticks = 6001;
        long[] at = new long[ticks];
        Double[] values = new Double[ticks];
        for (int i = 0; i < ticks; i++) {
            at[i] = i * SECOND;
            values[i] = i == 777 ? 99.0 : 1.0;
        }
        SampleSeries thin = Curves.samples(Metrics.all().get("proc.rss_bytes"), new SampleColumn(at, values));
        assertThat(thin.values()).hasSizeLessThanOrEqualTo(Curves.MOST_POINTS).contains(99.0);
        assertThat(thin.merged()).isEqualTo(11);
        assertThat(thin.seconds().getLast()).isEqualTo(6000);
    }

    // ---- builders

    private static Map<String, MetricValue> numbers(EndedTrial facts) {
        return TrialNumbers.of(
                facts,
                facts.steps().stream()
                        .map(s -> StepNumbers.of(s, Collections.nCopies(12, s.hits()), facts.declaredDelayNanos()))
                        .toList());
    }

    private static EndedTrial facts(
            boolean diagnostic, List<EndedTrial.Step> steps, Map<String, SampleColumn> columns) {
        return new EndedTrial(1, 1, diagnostic, false, 100, true, StoredJson.read(END, TrialEnd.class), steps, columns);
    }

    /** Twelve seconds at 300/s from second 10: 3600 hits about 100 ms, one of 150 ms. */
    private static EndedTrial.Step step(int ordinal, String validity, int failed) {
        return step(ordinal, validity, failed, PROMPT);
    }

    private static EndedTrial.Step step(int ordinal, String validity, int failed, EndedTrial.Lag lag) {
        byte[] service = Latencies.none()
                .with(100_500_000, 3000)
                .with(105 * MS, 599)
                .with(150 * MS, 1)
                .encode();
        byte[] response = Latencies.none()
                .with(101 * MS, 3000)
                .with(106 * MS, 599)
                .with(150 * MS, 1)
                .encode();
        byte[] excess = Latencies.none()
                .with(MS, 3000)
                .with(6 * MS, 599)
                .with(50 * MS, 1)
                .encode();
        return new EndedTrial.Step(
                ordinal,
                ordinal,
                300.0,
                10 * SECOND,
                22 * SECOND,
                3600,
                3600 - failed,
                failed,
                0,
                WireName.of(Validity.class, validity),
                3600L - failed,
                30 * SECOND,
                lag,
                new EndedTrial.Hits(service, null, response, null, excess, 0));
    }

    private static EndedTrial.Step with(EndedTrial.Step s, @Nullable Long completedInStep, EndedTrial.Hits hits) {
        return new EndedTrial.Step(
                s.stepId(),
                s.ordinal(),
                s.rate(),
                s.startNanos(),
                s.endNanos(),
                s.offered(),
                s.completed(),
                s.failed(),
                s.unfinished(),
                s.validity(),
                completedInStep,
                s.deadlineNanos(),
                s.lag(),
                hits);
    }

    private static Map<String, SampleColumn> columns() {
        Double mib = 1024.0 * 1024;
        return Map.of(
                "proc.cpu_user_s", column(3, 0.25),
                "proc.cpu_sys_s", column(1, 0.25),
                "proc.rss_bytes",
                        new SampleColumn(
                                new long[] {5 * SECOND, 10 * SECOND, 15 * SECOND, 22 * SECOND, 40 * SECOND},
                                new @Nullable Double[] {999 * mib, 255 * mib, 256 * mib, 250 * mib, 999 * mib}));
    }

    /** A tick a second from 0 to 30, rising evenly. */
    private static SampleColumn column(double from, double perSecond) {
        long[] at = new long[31];
        Double[] values = new Double[31];
        for (int i = 0; i <= 30; i++) {
            at[i] = i * SECOND;
            values[i] = from + i * perSecond;
        }
        return new SampleColumn(at, values);
    }

    private static MetricValue metric(Map<String, MetricValue> all, String name) {
        MetricValue value = all.get(name);
        if (value == null) {
            throw new AssertionError("no " + name + " among " + all.keySet());
        }
        return value;
    }

    private static double value(Map<String, MetricValue> all, String name) {
        return metric(all, name).value();
    }
}
