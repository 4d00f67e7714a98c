package dev.loomboard.rollup;

import static dev.loomboard.rollup.EndedTrials.MS;
import static dev.loomboard.rollup.EndedTrials.NONE;
import static dev.loomboard.rollup.EndedTrials.PROMPT;
import static dev.loomboard.rollup.EndedTrials.columns;
import static dev.loomboard.rollup.EndedTrials.facts;
import static dev.loomboard.rollup.EndedTrials.metric;
import static dev.loomboard.rollup.EndedTrials.numbers;
import static dev.loomboard.rollup.EndedTrials.step;
import static dev.loomboard.rollup.EndedTrials.value;
import static dev.loomboard.rollup.EndedTrials.with;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.loomboard.measurement.StoredJson;
import dev.loomboard.measurement.TrialEnd;
import dev.loomboard.measurement.Validity;
import dev.loomboard.stats.latency.Latencies;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What counts as work, as a failure and as excess, without a database. */
final class WorkAndFailuresTest {

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
    void quick_failures_count_at_their_deadline_and_are_no_requests_served() {
        byte[] quick = Latencies.none().with(MS / 10, 5400).encode();
        EndedTrial.Step good = step(0, "valid", 0);
        EndedTrial.Hits hits = new EndedTrial.Hits(
                good.hits().service(),
                quick,
                good.hits().response(),
                quick,
                good.hits().excess(),
                0);
        EndedTrial.Step sheds = step(0, 750.0, 9000, 5400, Validity.VALID, PROMPT, hits);
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
        EndedTrial.Step curve = step(2, 100.0, 1200, 0, Validity.VALID, PROMPT, low.hits());
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
        EndedTrial.Hits hits = new EndedTrial.Hits(open.hits().service(), null, null, null, null, 0);
        EndedTrial.Step closed = with(
                step(0, null, 3600, 0, Validity.VALID, NONE, hits),
                3480L, // 120 of the 3600 were answered after the end
                hits);
        Map<String, MetricValue> m = numbers(facts(false, List.of(closed), columns()));
        assertThat(m.keySet()).noneMatch(name -> name.startsWith("response_"));
        assertThat(value(m, "service_p50_ms")).isCloseTo(100.5, within(0.1));
        assertThat(value(m, "throughput_per_s")).isEqualTo(290);
        // Half a core for 12 s, by what was answered meanwhile.
        assertThat(value(m, "cpu_us_per_request")).isCloseTo(6e6 / 3480, within(1e-6));
    }
}
