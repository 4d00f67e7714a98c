package dev.loomboard.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.stats.paired.Power;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Of the published run, so that it costs no series. */
final class FindablePowerTest {

    private static final List<FindablePower> PUBLISHED = Simulation.published().findable();

    @Test
    void change_of_the_true_spread_is_found_as_often_as_stated() {
        assertThat(PUBLISHED)
                .filteredOn(played -> played.of().noise() == Noise.GAUSSIAN)
                .hasSize(FindablePower.BLOCKS.size() * FindablePower.CELLS.size())
                .allSatisfy(played -> assertThat(share(played.found(), played))
                        .isBetween(Power.WANTED - Goals.FINDABLE, Power.WANTED + Goals.FINDABLE));
    }

    /** Which the interval of a spread promises of normal values. */
    @Test
    void stated_range_holds_the_change_of_the_true_spread() {
        assertThat(PUBLISHED)
                .filteredOn(played -> played.of().noise() == Noise.GAUSSIAN)
                .allSatisfy(played -> assertThat(share(played.held(), played)).isBetween(0.93, 0.97));
    }

    @Test
    void printed_change_is_found_more_often_the_more_blocks_tell_the_spread() {
        for (int cells : FindablePower.CELLS) {
            assertThat(PUBLISHED.stream()
                            .filter(played -> played.of().noise() == Noise.GAUSSIAN
                                    && played.of().cells() == cells)
                            .map(FindablePower::foundOfPrinted)
                            .toList())
                    .isSorted();
        }
    }

    @Test
    void change_in_a_family_is_larger_and_the_same_of_each_series() {
        List<FindablePower> one = FindablePower.one(7, 0);
        assertThat(FindablePower.one(7, 1)).extracting(FindablePower::size).isEqualTo(sizes(one));
        for (int i = 0; i < one.size(); i += 2) {
            assertThat(one.get(i).of().cells()).isEqualTo(1);
            assertThat(one.get(i + 1).size()).isGreaterThan(one.get(i).size());
        }
    }

    private static List<Double> sizes(List<FindablePower> played) {
        return played.stream().map(FindablePower::size).toList();
    }

    private static double share(int count, FindablePower of) {
        return (double) count / of.series();
    }
}
