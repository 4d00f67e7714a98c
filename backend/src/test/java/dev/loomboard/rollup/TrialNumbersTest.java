package dev.loomboard.rollup;

import static dev.loomboard.rollup.EndedTrials.NONE;
import static dev.loomboard.rollup.EndedTrials.PROMPT;
import static dev.loomboard.rollup.EndedTrials.SECOND;
import static dev.loomboard.rollup.EndedTrials.column;
import static dev.loomboard.rollup.EndedTrials.columns;
import static dev.loomboard.rollup.EndedTrials.facts;
import static dev.loomboard.rollup.EndedTrials.metric;
import static dev.loomboard.rollup.EndedTrials.numbers;
import static dev.loomboard.rollup.EndedTrials.step;
import static dev.loomboard.rollup.EndedTrials.value;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.loomboard.catalog.Metrics;
import dev.loomboard.measurement.StoredJson;
import dev.loomboard.measurement.TrialEnd;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** From histograms and samples to numbers, without a database. */
final class TrialNumbersTest {

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
    void step_whose_times_moved_says_nothing_of_the_median_but_all_of_cpu() {
        Map<String, MetricValue> m = numbers(
                warmth(JUDGED.formatted("0.2", "").replace("\"unmet\"", "\"unsteady\": [\"it moved\"], \"unmet\"")));
        assertThat(metric(m, "warm")).isEqualTo(new MetricValue(1, true, null));
        for (String metric :
                List.of("response_p50_ms", "response_excess_p50_ms", "service_p50_ms", "response_mean_ms")) {
            assertThat(metric(m, metric).reason()).as(metric).isEqualTo("unsteady: it moved");
        }
        assertThat(metric(m, "cpu_us_per_request").reason()).isNull();
        assertThat(metric(m, "throughput_per_core").reason()).isNull();
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
    void diagnostic_trial_counts_contention_and_its_speed_is_not_judged() {
        Map<String, MetricValue> m = numbers(facts(true, List.of(step(0, "valid", 0)), columns()));
        assertThat(value(m, "contended_per_1k_requests")).isEqualTo(10);
        assertThat(metric(m, "contended_per_1k_requests").eligible()).isTrue();
        assertThat(m).doesNotContainKey("contended_virtual_per_1k_requests");
        assertThat(metric(m, "response_p50_ms").eligible()).isFalse();
        assertThat(metric(m, "response_p50_ms").reason()).contains("diagnostic");
    }
}
