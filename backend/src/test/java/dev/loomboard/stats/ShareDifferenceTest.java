package dev.loomboard.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Against the table of Newcombe's paper, and that the interval holds as often as it says. */
final class ShareDifferenceTest {

    private static final double PRINTED = 0.00005;

    /** Table II of Newcombe (1998), method 10, its eight examples. */
    @ParameterizedTest
    @CsvSource({
        "56, 70, 48, 80, 0.0524, 0.3339",
        "9, 10, 3, 10, 0.1705, 0.8090",
        "6, 7, 2, 7, 0.0582, 0.8062",
        "5, 56, 0, 29, -0.0381, 0.1926",
        "0, 10, 0, 20, -0.1611, 0.2775",
        "0, 10, 0, 10, -0.2775, 0.2775",
        "10, 10, 0, 20, 0.6791, 1.0000",
        "10, 10, 0, 10, 0.6075, 1.0000"
    })
    void interval_is_the_published_one(int a, int m, int b, int n, double low, double high) {
        ShareDifference d = ShareDifference.of(b, n, a, m, 1);
        assertThat(d.difference()).isCloseTo((double) a / m - (double) b / n, within(1e-12));
        assertThat(d.low()).isCloseTo(low, within(PRINTED));
        assertThat(d.high()).isCloseTo(high, within(PRINTED));
        assertThat(d.beyondError()).isEqualTo(low > 0);
        ShareDifference turned = ShareDifference.of(a, m, b, n, 1);
        assertThat(turned.low()).isCloseTo(-d.high(), within(1e-12));
        assertThat(turned.beyondError()).isEqualTo(d.beyondError());
    }

    /** Of a hundred methods whose shares are the same, hardly ever one may seem to differ. */
    @Test
    void of_equal_sides_all_intervals_together_hold_nearly_always() {
        Random random = new Random(20261121);
        int wrong = 0;
        for (int round = 0; round < 400; round++) {
            if (anyBeyond(random)) {
                wrong++;
            }
        }
        assertThat(wrong / 400.0).isLessThan(0.08);
    }

    private static boolean anyBeyond(Random random) {
        int[] first = new int[100];
        int[] second = new int[100];
        for (int i = 0; i < 2000; i++) {
            first[random.nextInt(100)]++;
            second[random.nextInt(100)]++;
        }
        for (int k = 0; k < 100; k++) {
            if (ShareDifference.of(first[k], 2000, second[k], 2000, 100).beyondError()) {
                return true;
            }
        }
        return false;
    }

    @Test
    void more_intervals_at_once_are_wider_and_a_share_of_nothing_is_refused() {
        assertThat(ShareDifference.of(10, 100, 30, 100, 1).beyondError()).isTrue();
        assertThat(ShareDifference.of(10, 100, 30, 100, 10_000).beyondError()).isFalse();
        assertThatThrownBy(() -> ShareDifference.of(0, 0, 1, 2, 1)).isInstanceOf(IllegalArgumentException.class);
    }
}
