package dev.loomboard.changepoint;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.changepoint.Dependence.Past;
import dev.loomboard.stats.Scale;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class DependenceTest {

    private static final int NIGHTS = 200;
    private static final Instant FIRST = Instant.parse("2026-01-01T02:00:00Z");
    private static final long NO_SUSPECT = -1;

    /** Nights that repeat each other by 0.8. Builds were measured in another order than they were made. */
    private static List<Past> backfilled(int levelBegins, IntUnaryOperator nightOf) {
        double[] nights = repeating();
        return IntStream.range(0, NIGHTS)
                .mapToObj(build -> {
                    int night = nightOf.applyAsInt(build);
                    double level = build < levelBegins ? 1 : 3;
                    return new Past(
                            build,
                            build == 0,
                            level * StrictMath.exp(nights[night]),
                            FIRST.plusSeconds(86_400L * night));
                })
                .toList();
    }

    private static double[] repeating() {
        Random random = new Random(17);
        double[] nights = new double[NIGHTS];
        for (int i = 1; i < NIGHTS; i++) {
            nights[i] = 0.8 * nights[i - 1] + 0.01 * random.nextGaussian();
        }
        return nights;
    }

    @Test
    void points_resemble_what_was_measured_before_them_not_the_build_before() {
        List<Past> points = backfilled(NIGHTS, build -> build * 77 % NIGHTS);
        List<Past> inTime =
                points.stream().sorted(Comparator.comparing(Past::measuredAt)).toList();
        List<Past> sameLevel = IntStream.range(0, NIGHTS)
                .mapToObj(i ->
                        new Past(i, i == 0, inTime.get(i).mean(), inTime.get(i).measuredAt()))
                .toList();
        double found = Dependence.of(Scale.LN, points, NO_SUSPECT);
        assertThat(found).isBetween(0.6, 0.89);
        assertThat(found).isEqualTo(Dependence.of(Scale.LN, sameLevel, NO_SUSPECT));
    }

    /** Measured between each other, two levels must not look like a series that jumps to and fro. */
    @Test
    void a_level_is_of_builds_whenever_they_were_measured() {
        int half = NIGHTS / 2;
        List<Past> points = backfilled(half, build -> build % half * 2 + build / half);
        assertThat(Dependence.of(Scale.LN, points, half)).isBetween(0.3, 0.89);
        assertThat(Dependence.of(Scale.LN, points, NO_SUSPECT))
                .as("as one level, which jumps every night")
                .isLessThan(0.2);
    }
}
