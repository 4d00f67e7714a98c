package dev.loomboard.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

final class RatioMeanTest {

    /** Errors of 1, 2 and 2 %: √(1 + 4 + 4) ÷ 3 = 1 %, with 81 ÷ (1/9 + 16/4 + 16/4) = 9.9863 degrees of freedom. */
    @Test
    void interval_is_of_the_cells_own_errors_and_their_spread_stands_apart() {
        RatioMean mean = RatioMean.of(List.of(
                        new RatioMean.Cell(1, 0.01, 9), new RatioMean.Cell(2, 0.02, 4), new RatioMean.Cell(4, 0.02, 4)))
                .orElseThrow();
        assertThat(mean.cells()).isEqualTo(3);
        assertThat(mean.ratio()).isCloseTo(2, within(1e-12));
        assertThat(Math.log(mean.high() / mean.ratio())).isCloseTo(0.0222862, within(1e-6));
        assertThat(mean.low() * mean.high()).isCloseTo(4, within(1e-9));
        assertThat(Objects.requireNonNull(mean.spread())).isCloseTo(Math.log(2), within(1e-12));
    }

    @Test
    void one_cell_has_its_own_interval_and_no_spread() {
        RatioMean.Cell cell = RatioMean.Cell.ofBlocks(1.02, 1.01, 1.0301, 4);
        RatioMean mean = RatioMean.of(List.of(cell)).orElseThrow();
        assertThat(mean.low()).isCloseTo(1.02 / Math.sqrt(1.0301 / 1.01), within(1e-12));
        assertThat(mean.high()).isCloseTo(1.02 * Math.sqrt(1.0301 / 1.01), within(1e-12));
        assertThat(mean.spread()).isNull();
        assertThat(RatioMean.of(List.of())).isEmpty();
    }

    @Test
    void cell_of_two_runs_has_welchs_error() {
        List<Double> baseline = List.of(1.0, 1.1, 0.9);
        List<Double> candidate = List.of(1.2, 1.25, 1.3, 1.1);
        RatioMean mean = RatioMean.of(
                        List.of(RatioMean.Cell.welch(baseline, candidate).orElseThrow()))
                .orElseThrow();
        Ratio welch = Ratio.welch(baseline, candidate).orElseThrow();
        assertThat(mean.low()).isCloseTo(Objects.requireNonNull(welch.low()), within(1e-12));
        assertThat(mean.high()).isCloseTo(Objects.requireNonNull(welch.high()), within(1e-12));
        assertThat(RatioMean.Cell.welch(List.of(1.0), candidate)).isEmpty();
        assertThat(RatioMean.Cell.welch(List.of(0.0, 1.0), candidate)).isEmpty();
    }

    @Test
    void cells_that_do_not_vary_give_an_interval_of_no_width() {
        RatioMean.Cell cell =
                RatioMean.Cell.welch(List.of(1.0, 1.0), List.of(2.0, 2.0)).orElseThrow();
        RatioMean mean = RatioMean.of(List.of(cell, cell)).orElseThrow();
        assertThat(mean.low()).isEqualTo(mean.high());
    }
}
