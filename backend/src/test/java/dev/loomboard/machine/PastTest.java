package dev.loomboard.machine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.inventory.Qualification;
import dev.loomboard.machine.HostChange.Difference;
import dev.loomboard.machine.HostChange.State;
import dev.loomboard.view.Chart;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;

/** What became other of a host, and how its noise is drawn. */
final class PastTest {

    private static final Instant FIRST = Instant.parse("2026-03-01T09:30:00Z");
    private static final String HASH = "a".repeat(64);

    @Test
    void changes_name_the_facts_that_changed_and_whether_points_stay_comparable() {
        List<State> states = List.of(
                state(3, HASH, "2.0", Map.of("cpu", Map.of("cores", 4), "shown", Map.of("microcode", "0x2"))),
                state(2, HASH, "1.0", Map.of("cpu", Map.of("cores", 4), "shown", Map.of("microcode", "0x2"))),
                state(1, HASH, "1.0", Map.of("cpu", Map.of("cores", 4))),
                state(0, "b".repeat(64), "1.0", Map.of("cpu", Map.of("cores", 2))));
        assertThat(HostChange.between(states))
                .containsExactly(
                        new HostChange(at(3), true, List.of(new Difference("agent", "1.0", "2.0"))),
                        new HostChange(at(2), true, List.of(new Difference("shown.microcode", null, "0x2"))),
                        new HostChange(at(1), false, List.of(new Difference("cpu.cores", "2", "4"))));
        assertThat(HostChange.between(states.subList(3, 4))).isEmpty();
        assertThat(HostChange.between(List.of())).isEmpty();
    }

    @Test
    void noise_is_drawn_by_week_and_attempts_at_their_days() {
        LocalDate monday = LocalDate.parse("2026-03-02");
        Chart chart = NoiseChart.of(
                        List.of(
                                new NoiseChart.Week(monday, "response_p50_ms", 0.01, 4),
                                new NoiseChart.Week(monday.plusWeeks(2), "response_p50_ms", 0.02, 1)),
                        List.of(attempt("2026-03-12T10:00:00Z")))
                .orElseThrow();
        assertThat(chart.lines()).hasSize(2).extracting(Chart.Line::colour).containsExactly(1, 2);
        assertThat(chart.lines().getFirst().points()).extracting(Chart.Point::x).containsExactly(0.0, 2.0);
        assertThat(chart.lines().getFirst().points()).extracting(Chart.Point::y).containsExactly(1.0, 2.0);
        assertThat(chart.lines().getFirst().points().getFirst().label()).isEqualTo("week of 2026-03-02, 4 cells");
        Chart.Point attempt = chart.lines().getLast().points().getFirst();
        assertThat(attempt.x()).isEqualTo(10 / 7.0);
        assertThat(attempt.label()).isEqualTo("A/A of 2026-03-12");
        assertThat(chart.xLabels())
                .extracting(Chart.Label::text)
                .startsWith("2026-03-02")
                .hasSize(3);
    }

    @Test
    void without_controls_and_attempts_there_is_nothing_to_draw() {
        assertThat(NoiseChart.of(List.of(), List.of())).isEmpty();
    }

    private static Qualification attempt(String at) {
        List<Double> values =
                DoubleStream.iterate(100, v -> v < 110, v -> v + 1).boxed().toList();
        return new Qualification(
                "loomboard.qualification/1",
                at,
                "1.0",
                HASH,
                HASH,
                "cell",
                10,
                List.of(),
                Map.of("response_p50_ms", values),
                null);
    }

    private static Instant at(int day) {
        return FIRST.plusSeconds(86_400L * day);
    }

    private static State state(int day, String fingerprint, String agent, Map<String, Object> facts) {
        return new State(at(day), fingerprint, agent, facts);
    }
}
