package dev.loomboard.runpages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.loomboard.rollup.MetricValue;
import dev.loomboard.rollup.OperationNumbers;
import dev.loomboard.view.MetricReading;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

final class CellOperationTest {

    @Test
    void operation_has_the_mean_of_its_trials_with_their_interval() {
        List<CellOperation> all = CellOperation.of(
                List.of(trial(1, read(10, 0), write(40, 0)), trial(2, read(20, 0), write(50, 0))), true, null);
        assertThat(all).extracting(CellOperation::name).containsExactly("read", "write");
        MetricReading p50 = reading(all.getFirst(), "response_p50_ms");
        assertThat(p50.mean())
                .isCloseTo(Math.sqrt(10 * 20), within(1e-9)); // times are positive: the mean of logarithms
        assertThat(p50.low()).isNotNull().isLessThan(10);
        assertThat(p50.high()).isNotNull().isGreaterThan(20);
        assertThat(p50.eligible()).isTrue();
        assertThat(all.getFirst().share()).isEqualTo(0.9);
        assertThat(all.getLast().weight()).isEqualTo(1);
        assertThat(all.getLast().of("trl_2").get("response_p50_ms")).isEqualTo(new MetricValue(50, true, null));
        assertThat(all.getLast().of("trl_3")).isEmpty();
    }

    @Test
    void one_trial_has_no_interval() {
        MetricReading p50 = reading(
                CellOperation.of(List.of(trial(1, read(10, 0))), true, null).getFirst(), "response_p50_ms");
        assertThat(p50.hasInterval()).isFalse();
        assertThat(p50.mean()).isEqualTo(10);
    }

    @Test
    void operation_whose_requests_fail_is_not_judged_while_another_is() {
        List<CellOperation> all = CellOperation.of(
                List.of(trial(1, read(10, 0), write(40, 0.3)), trial(2, read(20, 0), write(50, 0.1))), true, null);
        assertThat(reading(all.getFirst(), "response_p50_ms").eligible()).isTrue();
        assertThat(reading(all.getLast(), "response_p50_ms").reason()).isEqualTo("20.0 % of its hits failed");
        assertThat(reading(all.getLast(), "error_ratio").mean()).isEqualTo(0.2);
    }

    @Test
    void spread_of_the_pilot_alone_tells_the_interval() {
        List<CellOperation.Measured> trials =
                List.of(trial(1, read(10, 0)), trial(2, read(10, 0)), trial(3, read(90, 0)));
        MetricReading piloted = reading(CellOperation.of(trials, true, 2).getFirst(), "response_p50_ms");
        assertThat(Objects.requireNonNull(piloted.high()) - Objects.requireNonNull(piloted.low()))
                .isCloseTo(0, within(1e-9));
    }

    @Test
    void cell_without_a_sound_trial_shows_what_it_has_and_says_so() {
        MetricReading p50 = reading(
                CellOperation.of(List.of(trial(1, read(10, 0))), false, null).getFirst(), "response_p50_ms");
        assertThat(p50.eligible()).isFalse();
        assertThat(p50.reason()).startsWith("no trial is sound");
    }

    private static MetricReading reading(CellOperation operation, String metric) {
        return Objects.requireNonNull(operation.readings().get(metric));
    }

    private static CellOperation.Measured trial(int ordinal, OperationNumbers... operations) {
        return new CellOperation.Measured("trl_" + ordinal, ordinal, List.of(operations));
    }

    private static OperationNumbers read(double p50, double failed) {
        return new OperationNumbers(0, "read", 9, 90, 90, 90, 0, 0, 90, List.of(), metrics(p50, failed));
    }

    private static OperationNumbers write(double p50, double failed) {
        return new OperationNumbers(0, "write", 1, 10, 10, 10, 0, 0, 10, List.of(), metrics(p50, failed));
    }

    private static Map<String, MetricValue> metrics(double p50, double failed) {
        return Map.of(
                "response_p50_ms",
                new MetricValue(p50, true, null),
                "error_ratio",
                new MetricValue(failed, true, null));
    }
}
