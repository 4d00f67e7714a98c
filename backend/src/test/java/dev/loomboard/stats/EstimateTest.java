package dev.loomboard.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

/** Ends that have a closed form, and Garwood's table. */
final class EstimateTest {

    @Test
    void share_has_the_known_ends() {
        assertThat(Estimate.share(0, 10).low()).isZero();
        assertThat(Estimate.share(0, 10).high()).isCloseTo(1 - Math.pow(0.025, 0.1), within(1e-12));
        assertThat(Estimate.share(10, 10).low()).isCloseTo(Math.pow(0.025, 0.1), within(1e-12));
        assertThat(Estimate.share(10, 10).high()).isEqualTo(1);
        assertThat(Estimate.share(1, 2).value()).isEqualTo(0.5);
        assertThat(Estimate.share(1, 2).low()).isCloseTo(1 - Math.sqrt(0.975), within(1e-12));
        assertThatThrownBy(() -> Estimate.share(3, 2)).hasMessageContaining("3 of 2");
        assertThatThrownBy(() -> Estimate.share(0, 0)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void rate_has_the_known_ends() {
        assertThat(Estimate.rate(0, 10).high()).isCloseTo(-Math.log(0.025) / 10, within(1e-12));
        assertThat(Estimate.rate(0, 10).low()).isZero();
        assertThat(Estimate.rate(10, 1).low()).isCloseTo(4.795, within(5e-4));
        assertThat(Estimate.rate(10, 1).high()).isCloseTo(18.39, within(5e-3));
        assertThatThrownBy(() -> Estimate.rate(1, 0)).isInstanceOf(IllegalArgumentException.class);
    }
}
