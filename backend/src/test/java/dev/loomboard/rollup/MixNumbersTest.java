package dev.loomboard.rollup;

import static dev.loomboard.rollup.EndedTrials.MS;
import static dev.loomboard.rollup.EndedTrials.metric;
import static dev.loomboard.rollup.EndedTrials.value;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.loomboard.measurement.StoredJson;
import dev.loomboard.measurement.TrialEnd;
import dev.loomboard.measurement.Validity;
import dev.loomboard.stats.latency.Latencies;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Operations of a mix, of which nine in ten requests read a page in 10 ms and one sends a form in 50 ms, which fails at times. */
final class MixNumbersTest {

    private static final int SECONDS = 12;
    private static final int PAGES = 32_400;
    private static final int FORMS = 3_600;
    private static final int FAILED = 360;

    private static final EndedTrial.Hits PAGE = hits(Latencies.none().with(10 * MS, PAGES), null);
    private static final EndedTrial.Hits FORM = hits(
            Latencies.none().with(50 * MS, FORMS - FAILED), Latencies.none().with(MS, FAILED));
    private static final EndedTrial.Hits WHOLE = hits(
            Latencies.none().with(10 * MS, PAGES).with(50 * MS, FORMS - FAILED),
            Latencies.none().with(MS, FAILED));

    private static final EndedTrial.Operation PAGES_READ =
            new EndedTrial.Operation(0, "page", new EndedTrial.Counts(PAGES, PAGES, 0, 0, (long) PAGES), PAGE);
    private static final EndedTrial.Operation FORMS_SENT = new EndedTrial.Operation(
            0, "form", new EndedTrial.Counts(FORMS, FORMS - FAILED, FAILED, 0, FORMS - FAILED - 12L), FORM);

    @Test
    void each_operation_has_its_own_times_work_and_failures() {
        Map<String, MetricValue> page = numbers(PAGES_READ);
        assertThat(value(page, "response_p50_ms")).isCloseTo(10, within(0.02));
        assertThat(metric(page, "response_p99_ms").eligible()).isTrue();
        assertThat(value(page, "throughput_per_s")).isEqualTo(PAGES / (double) SECONDS);
        assertThat(value(page, "error_ratio")).isZero();
        Map<String, MetricValue> form = numbers(FORMS_SENT);
        assertThat(value(form, "response_p50_ms")).isCloseTo(50, within(0.1));
        assertThat(value(form, "throughput_per_s")).isEqualTo((FORMS - FAILED - 12) / (double) SECONDS);
        assertThat(value(form, "error_ratio")).isEqualTo(0.1);
    }

    @Test
    void quick_failures_count_at_their_deadline() {
        MetricValue p99 = metric(numbers(FORMS_SENT), "response_p99_ms");
        assertThat(p99.value()).isCloseTo(30_000, within(30.0));
        assertThat(p99.reason()).isEqualTo("10.0 % of the hits failed: this is their deadline");
    }

    @Test
    void percentile_needs_hits_enough_of_the_operation_itself() {
        assertThat(metric(numbers(PAGES_READ), "response_p999_ms").reason())
                .isEqualTo("32 of 32400 hits lie beyond p99.9, 100 are needed");
    }

    @Test
    void bursts_of_all_requests_keep_an_operation_from_being_judged() {
        EndedTrial.Hits quick = hits(Latencies.none().with(10 * MS, 3000), null);
        EndedTrial.Hits slow = hits(Latencies.none().with(50 * MS, 3000), null);
        List<EndedTrial.Hits> seconds = IntStream.range(0, SECONDS)
                .mapToObj(second -> second < 2 ? slow : quick)
                .toList();
        StepNumbers whole = StepNumbers.of(step(EndedTrials.PROMPT), seconds, 0);
        assertThat(metric(TrialNumbers.ofOperation(facts("{}"), whole, FORMS_SENT), "response_p50_ms")
                        .reason())
                .startsWith("of all hits together, the hits beyond p50 come in bursts and are worth ");
    }

    @Test
    void median_of_a_step_that_was_cold_is_not_judged() {
        Map<String, MetricValue> page = numbers("""
                {"warmth": [{"step": 0, "criterion": "step/1", "hitsBefore": 3, "unmet": ["it compiled"]}]}""", EndedTrials.PROMPT);
        assertThat(metric(page, "response_p50_ms").reason()).isEqualTo("not warm: it compiled");
        assertThat(metric(page, "response_p99_ms").eligible()).isTrue();
        assertThat(page).doesNotContainKey("warm");
    }

    @Test
    void lag_of_the_generator_is_in_its_times_too() {
        MetricValue p99 = metric(numbers("{}", new EndedTrial.Lag(8_000L, 9 * MS)), "response_p99_ms");
        assertThat(p99.reason()).startsWith("requests left 9000 µs late, ");
    }

    private static Map<String, MetricValue> numbers(EndedTrial.Operation operation) {
        return TrialNumbers.ofOperation(facts("{}"), whole(EndedTrials.PROMPT), operation);
    }

    /** Of the page. */
    private static Map<String, MetricValue> numbers(String end, EndedTrial.Lag lag) {
        return TrialNumbers.ofOperation(facts(end), whole(lag), PAGES_READ);
    }

    private static StepNumbers whole(EndedTrial.Lag lag) {
        Collection<EndedTrial.Hits> seconds = Collections.nCopies(SECONDS, WHOLE);
        return StepNumbers.of(step(lag), seconds, 0);
    }

    private static EndedTrial.Step step(EndedTrial.Lag lag) {
        return EndedTrials.step(0, 3000.0, PAGES + FORMS, FAILED, Validity.VALID, lag, WHOLE);
    }

    private static EndedTrial facts(String end) {
        return new EndedTrial(
                1,
                1,
                false,
                false,
                0,
                true,
                StoredJson.read(end, TrialEnd.class),
                List.of(step(EndedTrials.PROMPT)),
                Map.of());
    }

    private static EndedTrial.Hits hits(Latencies answered, @Nullable Latencies failed) {
        byte[] quick = failed == null ? null : failed.encode();
        return new EndedTrial.Hits(answered.encode(), quick, answered.encode(), quick, null, 0);
    }
}
