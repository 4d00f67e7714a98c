package dev.loomboard.stats.latency;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

class IndependentHitsTest {

    private record Example(String name, long[] beyondPerSecond, double independent, boolean enough) {}

    private static List<Example> examples() throws IOException {
        try (InputStream text = IndependentHitsTest.class.getResourceAsStream("/independent-hits.json")) {
            return JsonMapper.builder().build().readValue(text, new TypeReference<>() {});
        }
    }

    /** They were reckoned by another program; the agent's tests read the same. */
    @Test
    void examples_that_the_agent_shares() throws IOException {
        assertThat(examples()).hasSizeGreaterThan(10).allSatisfy(example -> {
            assertThat(IndependentHits.of(example.beyondPerSecond()))
                    .as(example.name())
                    .isCloseTo(example.independent(), within(1e-9));
            assertThat(Eligibility.of(Quantile.P90, 1_000_000, example.beyondPerSecond())
                            .eligible())
                    .as(example.name())
                    .isEqualTo(example.enough());
        });
    }

    /** A server whose hits are slow independently of each other, with just the hits that are needed. */
    @Test
    void single_hits_are_enough_in_steps_of_any_length() {
        Random random = new Random(17);
        for (int seconds : new int[] {6, 8, 10, 20, 60}) {
            assertThat(enough(() -> thrown(random, seconds, Eligibility.LEAST_BEYOND, 1)))
                    .isGreaterThan(0.995);
        }
    }

    /** Half the stalls that are needed, at times that do not depend on each other. */
    @Test
    void few_stalls_are_seldom_taken_for_enough() {
        Random random = new Random(18);
        assertThat(enough(() -> thrown(random, 20, 5, 30))).isLessThan(0.1);
        assertThat(enough(() -> thrown(random, 60, 5, 30))).isLessThan(0.1);
        assertThat(enough(() -> thrown(random, 60, 30, 30))).isGreaterThan(0.95);
    }

    private static double enough(Supplier<long[]> step) {
        int of = 1000;
        return (double) IntStream.range(0, of)
                        .filter(i -> IndependentHits.of(step.get()) >= Eligibility.LEAST_INDEPENDENT)
                        .count()
                / of;
    }

    private static long[] thrown(Random random, int seconds, int stalls, int hits) {
        long[] perSecond = new long[seconds];
        for (int i = 0; i < stalls; i++) {
            perSecond[random.nextInt(seconds)] += hits;
        }
        return perSecond;
    }
}
