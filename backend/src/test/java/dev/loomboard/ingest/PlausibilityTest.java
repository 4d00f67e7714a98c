package dev.loomboard.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.measurement.StoredJson;
import dev.loomboard.measurement.TrialEnd;
import dev.loomboard.measurement.Validity;
import dev.loomboard.rollup.EndedTrial;
import dev.loomboard.rollup.SampleColumn;
import dev.loomboard.stats.latency.Latencies;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A trial of ten seconds from second 10, 1000 hits of a workload that waits 100 ms, on a machine of four CPUs. */
final class PlausibilityTest {

    private static final long SECOND = 1_000_000_000L;
    private static final long MS = 1_000_000L;
    private static final long MIB = 1024 * 1024;
    private static final Instant NOON = Instant.parse("2026-11-22T12:00:00Z");

    private static final Latencies HONEST = Latencies.none().with(100 * MS, 900).with(103 * MS, 100);
    private static final Map<String, SampleColumn> SAMPLES =
            Map.of("proc.rss_bytes", column(second -> 200.0 * MIB), "proc.cpu_s", column(second -> 3.9 * second));

    @Test
    void honest_trial_is_not_refuted() {
        assertThat(Plausibility.refutation(trial(HONEST, HONEST, SAMPLES), at(NOON)))
                .isEmpty();
    }

    @Test
    void answers_before_the_declared_delay_refute_it_whichever_time_has_them() {
        Latencies forged = Latencies.none().with(970, 1000);
        String reason = "impossible: in step 0 1\u202f000 of 1\u202f000 successful answers took less than 98.0 ms,"
                + " its workload waits 100 ms";
        assertThat(Plausibility.refutation(trial(forged, forged, SAMPLES), at(NOON)))
                .contains(reason);
        assertThat(Plausibility.refutation(trial(forged, null, SAMPLES), at(NOON)))
                .contains(reason);
        assertThat(Plausibility.refutation(trial(HONEST, forged, SAMPLES), at(NOON)))
                .contains(reason);
    }

    @Test
    void early_answers_within_the_tolerance_do_not() {
        Latencies nearly = Latencies.none().with(98_500_000, 1000);
        Latencies one = HONEST.with(MS, 1);
        Latencies two = HONEST.with(MS, 2);
        assertThat(Plausibility.refutation(trial(nearly, nearly, SAMPLES), at(NOON)))
                .isEmpty();
        assertThat(Plausibility.refutation(trial(one, one, SAMPLES), at(NOON))).isEmpty();
        assertThat(Plausibility.refutation(trial(two, two, SAMPLES), at(NOON))).isPresent();
    }

    @Test
    void less_memory_than_a_jvm_or_its_live_heap_needs_refutes_it() {
        assertThat(refutation("proc.rss_bytes", column(second -> 0.95 * MIB), false))
                .isEqualTo("impossible: in step 0 the server had 0.950 MiB of memory at most, a JVM has at least 16");
        assertThat(refutation("proc.rss_bytes", column(second -> 39.0 * MIB), false))
                .contains("39.0 MiB of memory at most, 80.0 MiB of its heap were live");
        assertThat(refutation("proc.rss_bytes", column(second -> 41.0 * MIB), false))
                .isEmpty();
        assertThat(refutation("proc.rss_bytes", column(second -> 39.0 * MIB), true))
                .isEmpty();
    }

    @Test
    void more_cpu_time_than_the_machine_has_refutes_it() {
        assertThat(refutation("proc.cpu_s", column(second -> 4.5 * second), false))
                .isEqualTo("impossible: in step 0 the server used 4.50 CPUs, the machine has 4");
        assertThat(refutation("proc.cpu_s", column(second -> 4.3 * second), false))
                .isEmpty();
        Map<String, SampleColumn> ticks = Map.of(
                "proc.cpu_user_s", column(second -> 3.0 * second), "proc.cpu_sys_s", column(second -> 2.0 * second));
        assertThat(Plausibility.refutation(trial(HONEST, HONEST, ticks), at(NOON)))
                .hasValueSatisfying(reason -> assertThat(reason).contains("used 5.00 CPUs"));
    }

    @Test
    void times_outside_of_its_lease_or_within_another_trial_refute_it() {
        assertThat(refutation(NOON.minus(Duration.ofDays(1)), null))
                .isEqualTo("impossible: it began 23\u202fh 55\u202fmin before its run was claimed");
        assertThat(refutation(NOON.plusSeconds(62), null))
                .isEqualTo("impossible: it ends 1\u202fmin 2\u202fs after the last of it was uploaded");
        assertThat(refutation(NOON, Duration.ofSeconds(80)))
                .isEqualTo("impossible: it overlaps trl_other of its run by 1\u202fmin 20\u202fs");
        assertThat(refutation(NOON.minusSeconds(359), Duration.ofSeconds(5))).isEmpty();
        assertThat(refutation(NOON.plusSeconds(59), null)).isEmpty();
    }

    @Test
    void what_is_not_known_refutes_nothing() {
        var nothing = new Plausibility.Circumstances(null, NOON, NOON, NOON, null, null, true, false);
        assertThat(Plausibility.refutation(trial(HONEST, null, Map.of()), nothing))
                .isEmpty();
    }

    @Test
    void a_server_without_a_jvm_may_be_as_small_as_it_is() {
        var trial = trial(HONEST, HONEST, Map.of("proc.rss_bytes", column(second -> 5.0 * MIB)));
        assertThat(Plausibility.refutation(trial, onNoTime(false))).isEmpty();
        assertThat(Plausibility.refutation(trial, onNoTime(true)))
                .hasValueSatisfying(reason -> assertThat(reason).contains("a JVM has at least 16"));
    }

    /** Times are not known, and a heap may lie in large pages. */
    private static Plausibility.Circumstances onNoTime(boolean jvm) {
        return new Plausibility.Circumstances(null, NOON, NOON, NOON, null, null, jvm, true);
    }

    // ---- a trial

    private static String refutation(String metric, SampleColumn column, boolean largePages) {
        Plausibility.Circumstances usual = at(NOON);
        return Plausibility.refutation(
                        trial(HONEST, HONEST, Map.of(metric, column)),
                        new Plausibility.Circumstances(
                                usual.claimed(),
                                usual.began(),
                                usual.ended(),
                                usual.stored(),
                                null,
                                usual.cpus(),
                                true,
                                largePages))
                .orElse("");
    }

    private static String refutation(Instant ended, @Nullable Duration overlap) {
        return Plausibility.refutation(trial(HONEST, HONEST, SAMPLES), at(ended, overlap))
                .orElse("");
    }

    private static Plausibility.Circumstances at(Instant ended) {
        return at(ended, null);
    }

    /** Claimed five minutes before noon, uploaded at noon. */
    private static Plausibility.Circumstances at(Instant ended, @Nullable Duration overlap) {
        return new Plausibility.Circumstances(
                NOON.minusSeconds(300),
                ended,
                ended,
                NOON,
                overlap == null ? null : new Plausibility.Overlap("trl_other", overlap),
                4.0,
                true,
                false);
    }

    private static EndedTrial trial(
            Latencies service, @Nullable Latencies response, Map<String, SampleColumn> columns) {
        EndedTrial.Hits hits =
                new EndedTrial.Hits(service.encode(), null, response == null ? null : response.encode(), null, null, 0);
        EndedTrial.Step step = new EndedTrial.Step(
                1,
                0,
                100.0,
                10 * SECOND,
                20 * SECOND,
                new EndedTrial.Counts(1000, 1000, 0, 0, 1000L),
                Validity.VALID,
                30 * SECOND,
                new EndedTrial.Lag(0L, 0L),
                hits);
        TrialEnd end = StoredJson.read("""
                {"outcome": "done", "gcProof": [{"atNs": 9000000000, "heapAfterBytes": 83886080},
                                                {"atNs": 99000000000, "heapAfterBytes": 1}]}
                """, TrialEnd.class);
        return new EndedTrial(1, 1, false, false, 100, true, end, List.of(step), columns);
    }

    private interface OfSecond {
        double at(long second);
    }

    private static SampleColumn column(OfSecond value) {
        return new SampleColumn(
                LongStream.range(0, 22).map(s -> s * SECOND).toArray(),
                LongStream.range(0, 22).mapToObj(value::at).toArray(Double[]::new));
    }
}
