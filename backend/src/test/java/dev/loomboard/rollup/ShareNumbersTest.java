package dev.loomboard.rollup;

import static dev.loomboard.rollup.EndedTrials.MS;
import static dev.loomboard.rollup.EndedTrials.PROMPT;
import static dev.loomboard.rollup.EndedTrials.metric;
import static dev.loomboard.rollup.EndedTrials.numbers;
import static dev.loomboard.rollup.EndedTrials.value;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.loomboard.measurement.StoredJson;
import dev.loomboard.measurement.TrialEnd;
import dev.loomboard.measurement.Validity;
import dev.loomboard.stats.latency.Latencies;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What a search tells of its latency at 70 % of the rate that it found. */
final class ShareNumbersTest {

    private static final String P50 = "response_p50_at_70_ms";
    private static final String P99 = "response_p99_at_70_ms";

    @Test
    void latency_at_70_percent_is_that_of_the_curve_s_step_there_beside_that_of_the_rate_itself() {
        Map<String, MetricValue> m = numbers(search("curve", "", step(0, 1433.3, 140), step(1, 1003.3, 104)));
        assertThat(value(m, "max_rate_per_s")).isEqualTo(1433.3);
        assertThat(value(m, "response_p50_ms")).isCloseTo(140, within(0.2));
        assertThat(value(m, P50)).isCloseTo(104, within(0.2));
        assertThat(value(m, P99)).isCloseTo(110, within(0.2));
        assertThat(metric(m, P50).eligible()).isTrue();
        assertThat(metric(m, P99).eligible()).isTrue();
    }

    @Test
    void a_cold_step_says_nothing_of_the_median() {
        Map<String, MetricValue> m =
                numbers(search("curve", "the compilers were busy", step(0, 1433.3, 140), step(1, 1003.3, 104)));
        assertThat(metric(m, P50).reason()).isEqualTo("not warm: the compilers were busy");
        assertThat(metric(m, P99).eligible()).isTrue();
    }

    @Test
    void steps_on_the_way_to_the_rate_and_other_shares_are_not_it() {
        assertThat(numbers(search("explore", "", step(0, 1433.3, 140), step(1, 1003.3, 104))))
                .doesNotContainKeys(P50, P99);
        assertThat(numbers(search("curve", "", step(0, 1433.3, 140), step(1, 1003.1, 104))))
                .doesNotContainKeys(P50, P99);
        assertThat(numbers(EndedTrials.facts(false, List.of(EndedTrials.step(0, "valid", 0)), Map.of())))
                .doesNotContainKeys(P50, P99);
    }

    private static EndedTrial.Step step(int ordinal, double rate, long millis) {
        byte[] response = Latencies.none()
                .with(millis * MS, 11_500)
                .with((millis + 6) * MS, 400)
                .with((millis + 20) * MS, 100)
                .encode();
        return EndedTrials.step(
                ordinal,
                rate,
                12_000,
                0,
                Validity.VALID,
                PROMPT,
                new EndedTrial.Hits(response, null, response, null, null, 0));
    }

    /** @param unmet of the second step's warmth; empty: it was warm */
    private static EndedTrial search(String role, String unmet, EndedTrial.Step... steps) {
        TrialEnd end = StoredJson.read("""
                {"search": {"maxRate": 1433.3, "confirmed": true, "resolved": true,
                            "steps": [{"ordinal": 0, "role": "confirm", "verdict": "pass"}, {"ordinal": 1, "role": "%s", "verdict": "pass"}]},
                 "warmth": [{"step": 0, "criterion": "step/2", "unmet": []}, {"step": 1, "criterion": "step/2", "unmet": [%s]}]}
                """.formatted(role, unmet.isEmpty() ? "" : "\"" + unmet + "\""), TrialEnd.class);
        return new EndedTrial(1, 1, false, false, 100, false, end, List.of(steps), Map.of());
    }
}
