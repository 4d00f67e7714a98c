package dev.loomboard.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.loomboard.stats.latency.Eligibility;
import dev.loomboard.stats.latency.Quantile;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

/** Known answers were computed apart from this code, by numeric integration of the t density. */
final class FormulasTest {

    private static final List<Double> LEFT = List.of(1.00, 1.02, 1.05, .95, .98);
    private static final List<Double> RIGHT = List.of(.80, .82, .85, .79, .77);

    @Test
    void interval_of_one_trial_is_unknown() {
        Mean one = Mean.of(Scale.LN, List.of(101.3)).orElseThrow();
        assertThat(one.mean()).isEqualTo(101.3);
        assertThat(one.low()).isNull();
        assertThat(one.high()).isNull();
    }

    @Test
    void interval_has_the_known_ends() {
        Mean plain = Mean.of(Scale.IDENTITY, List.of(1.0, 2.0, 3.0)).orElseThrow();
        assertThat(plain.mean()).isEqualTo(2);
        assertThat(plain.low()).isCloseTo(2 - 2.4841377117503844, within(1e-9));
        assertThat(plain.high()).isCloseTo(2 + 2.4841377117503844, within(1e-9));
        Mean geometric = Mean.of(Scale.LN, List.of(100.0, 110.0, 121.0)).orElseThrow();
        assertThat(geometric.mean()).isCloseTo(110, within(1e-9));
        assertThat(geometric.low()).isCloseTo(86.80955999795157, within(1e-7));
        assertThat(geometric.high()).isCloseTo(139.38556997968345, within(1e-7));
    }

    @Test
    void ln_scale_has_no_mean_of_zero() {
        assertThat(Mean.of(Scale.LN, List.of(1.0, 0.0))).isEmpty();
        assertThat(Mean.of(Scale.IDENTITY, List.of(1.0, 0.0))).isPresent();
    }

    @Test
    void ratio_has_the_known_interval() {
        Ratio ratio = Ratio.welch(LEFT, RIGHT).orElseThrow();
        assertThat(ratio.ratio()).isCloseTo(0.8060097325773838, within(1e-12));
        assertThat(ratio.low()).isCloseTo(0.7626933821113095, within(1e-9));
        assertThat(ratio.high()).isCloseTo(0.8517861885874525, within(1e-9));
    }

    @Test
    void ratio_of_single_trials_has_no_interval() {
        Ratio ratio = Ratio.welch(List.of(2.0), List.of(1.0, 1.1)).orElseThrow();
        assertThat(ratio.low()).isNull();
        assertThat(ratio.high()).isNull();
        assertThat(Ratio.welch(List.of(2.0), List.of(0.0, 1.0))).isEmpty();
        assertThat(Ratio.welch(List.of(), List.of(1.0))).isEmpty();
    }

    @Property(tries = 200)
    void ratio_turned_round_is_its_inverse(
            @ForAll @Size(min = 1, max = 12) List<@DoubleRange(min = 0.01, max = 1e6) Double> a,
            @ForAll @Size(min = 1, max = 12) List<@DoubleRange(min = 0.01, max = 1e6) Double> b) {
        Ratio there = Ratio.welch(a, b).orElseThrow();
        Ratio back = Ratio.welch(b, a).orElseThrow();
        assertThat(there.ratio() * back.ratio()).isCloseTo(1, within(1e-9));
        if (there.low() != null && back.high() != null) {
            assertThat(there.low()).isLessThanOrEqualTo(there.ratio());
            assertThat(Math.log(there.low())).isCloseTo(-Math.log(back.high()), within(1e-6));
        }
    }

    @Property(tries = 200)
    void mean_lies_within_its_interval_and_its_values(
            @ForAll @Size(min = 2, max = 20) List<@DoubleRange(min = 0.01, max = 1e6) Double> values,
            @ForAll Scale scale) {
        Mean mean = Mean.of(scale, values).orElseThrow();
        double least = values.stream().mapToDouble(v -> v).min().orElseThrow();
        double most = values.stream().mapToDouble(v -> v).max().orElseThrow();
        assertThat(mean.mean()).isBetween(least * (1 - 1e-12), most * (1 + 1e-12));
        assertThat(mean.low()).isLessThanOrEqualTo(mean.mean());
        assertThat(mean.high()).isGreaterThanOrEqualTo(mean.mean());
        assertThat(Mean.of(scale, values)).contains(mean); // to the last bit
    }

    private static final long[] EVEN = {20, 20, 20, 20, 20, 20};

    @Test
    void percentile_is_eligible_from_a_hundred_hits_beyond_it() {
        assertThat(Eligibility.of(Quantile.P99, 10_000, EVEN).eligible()).isTrue();
        assertThat(Eligibility.of(Quantile.P90, 1000, EVEN).eligible()).isTrue();
        assertThat(Eligibility.of(Quantile.P999, 100_000, EVEN).eligible()).isTrue();
        assertThat(Eligibility.of(Quantile.P99, 9_999, EVEN).eligible()).isFalse();
        assertThat(Eligibility.of(Quantile.P99, 3600, EVEN).reason())
                .isEqualTo("36 of 3600 hits lie beyond p99, 100 are needed");
    }

    @Test
    void one_long_stall_is_one_observation() {
        assertThat(Eligibility.of(Quantile.P999, 1_000_000, new long[] {0, 0, 1000, 0, 0, 0, 0, 0, 0, 0}))
                .isEqualTo(new Eligibility(
                        false,
                        "the hits beyond p99.9 come in bursts and are worth 1.0 independent ones, 10 are needed"));
        assertThat(Eligibility.of(Quantile.P50, 0, new long[0]).reason())
                .contains("0 of 0 hits")
                .contains("0 seconds had hits");
    }

    /** Five values decide by their spread how many follow: a mean that is known to ± 3 % is wanted, and they spread by 4 %. */
    @Test
    void spread_of_the_first_values_tells_the_interval_where_it_decided_how_many_follow() {
        Random random = new Random(19);
        int rounds = 8000;
        int byFirst = 0;
        int byAll = 0;
        for (int i = 0; i < rounds; i++) {
            List<Double> values = new ArrayList<>();
            for (int k = 0; k < 5; k++) {
                values.add(random.nextGaussian() * 0.04);
            }
            double half = Mean.critical(4)
                    * Math.sqrt(Moments.of(values, Scale.IDENTITY).variance());
            int needed = (int) Math.min(200, Math.ceil(half * half / (0.03 * 0.03)));
            while (values.size() < needed) {
                values.add(random.nextGaussian() * 0.04);
            }
            byFirst += covers(Mean.of(Scale.IDENTITY, values, 5).orElseThrow()) ? 1 : 0;
            byAll += covers(Mean.of(Scale.IDENTITY, values).orElseThrow()) ? 1 : 0;
        }
        assertThat(byFirst / (double) rounds).isBetween(0.943, 0.957);
        assertThat(byAll / (double) rounds)
                .as("as if their number had been fixed")
                .isLessThan(0.94);
    }

    private static boolean covers(Mean mean) {
        return Objects.requireNonNull(mean.low()) <= 0 && 0 <= Objects.requireNonNull(mean.high());
    }
}
