package dev.loomboard.stats;

import static dev.loomboard.stats.Values.around;
import static dev.loomboard.stats.Values.noise;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Simultaneous sets for ranks, and what they know of runs and machines. Simulations are seeded, so they cannot fail by chance. */
final class RanksTest {

    private static final Margin NONE = new Margin(Scale.LN, 0, 0);

    @Test
    void entries_far_apart_have_certain_ranks() {
        List<List<Double>> trials = List.of(around(30, 0.01), around(10, 0.01), around(20, 0.01));
        assertThat(ranks(Better.LOWER, trials))
                .containsExactly(
                        new Ranks.Range(3, 3, List.of()),
                        new Ranks.Range(1, 1, List.of()),
                        new Ranks.Range(2, 2, List.of()));
        assertThat(ranks(Better.HIGHER, trials))
                .containsExactly(
                        new Ranks.Range(1, 1, List.of()),
                        new Ranks.Range(3, 3, List.of()),
                        new Ranks.Range(2, 2, List.of()));
    }

    @Test
    void entries_that_cannot_be_told_apart_share_their_ranks() {
        List<List<Double>> trials = List.of(around(10, 0.05), around(10.1, 0.05), around(40, 0.05));
        assertThat(ranks(Better.LOWER, trials))
                .containsExactly(
                        new Ranks.Range(1, 2, List.of(1)),
                        new Ranks.Range(1, 2, List.of(0)),
                        new Ranks.Range(3, 3, List.of()));
    }

    @Test
    void ranks_of_constants_and_of_one_or_none() {
        List<Double> one = List.of(1.0, 1.0);
        assertThat(ranks(Better.LOWER, List.of(one, List.of(2.0, 2.0), one)))
                .containsExactly(
                        new Ranks.Range(1, 2, List.of(2)),
                        new Ranks.Range(3, 3, List.of()),
                        new Ranks.Range(1, 2, List.of(0)));
        assertThat(ranks(Better.LOWER, List.of(one))).containsExactly(new Ranks.Range(1, 1, List.of()));
        assertThat(ranks(Better.LOWER, List.of())).isEmpty();
        assertThatThrownBy(() -> ranks(Better.LOWER, List.of(List.of(1.0)))).hasMessageContaining("entry 0");
    }

    /** Of five a little apart and one far off, each is tied with its neighbours, the nearest first. */
    @Test
    void ties_are_named_the_nearest_first_and_make_the_range_as_wide() {
        List<List<Double>> trials =
                List.of(around(10, 0.05), around(10.3, 0.05), around(10.1, 0.05), around(40, 0.05), around(10.7, 0.05));
        List<Ranks.Range> ranges = ranks(Better.LOWER, trials);
        assertThat(ranges).allSatisfy(range -> assertThat(range.tied()).hasSize(range.worst() - range.best()));
        assertThat(ranges.get(0).tied()).startsWith(2, 1).doesNotContain(3);
        assertThat(ranges.get(3)).isEqualTo(new Ranks.Range(5, 5, List.of()));
    }

    @Test
    void all_sets_hold_their_ranks_as_often_as_promised() {
        Random random = new Random(5);
        int held = 0;
        int rounds = 150;
        for (int round = 0; round < rounds; round++) {
            List<List<Double>> trials = new ArrayList<>();
            for (int entry = 0; entry < 4; entry++) {
                double level = entry < 2 ? 10 : 10.6; // two ties, which are the hard case
                trials.add(noise(random, 5).stream()
                        .map(z -> level * Math.exp(0.03 * z))
                        .toList());
            }
            List<Ranks.Range> ranges = ranks(Better.LOWER, trials);
            boolean all = ranges.get(0).best() == 1
                    && ranges.get(1).best() == 1
                    && ranges.get(0).worst() >= 2
                    && ranges.get(1).worst() >= 2
                    && ranges.get(2).best() <= 3
                    && ranges.get(3).best() <= 3
                    && ranges.get(2).worst() == 4
                    && ranges.get(3).worst() == 4;
            held += all ? 1 : 0;
        }
        assertThat(held / (double) rounds).isGreaterThan(0.92);
    }

    /** Ten trials of 3 % each: 6 % apart is 4.5 errors within the run, and 1.9 with 2 % from run to run. */
    @Test
    void what_runs_may_differ_by_orders_nothing() {
        List<Double> one = around(10, 0.03, 10);
        List<Double> other = around(10.6, 0.03, 10);
        assertThat(order(entry(one, 1, 0), entry(other, 1, 0))).containsExactly(1, 2);
        assertThat(order(entry(one, 1, 0.02), entry(other, 1, 0.02))).containsExactly(2, 2);
    }

    /** 7 % apart: enough beside what runs differ by, not beside what machines may differ by as well. */
    @Test
    void entries_of_two_machines_must_differ_by_more() {
        List<Double> one = around(10, 0.03, 10);
        List<Double> other = around(10.75, 0.03, 10);
        assertThat(order(entry(one, 1, 0.02), entry(other, 1, 0.02))).containsExactly(1, 2);
        assertThat(order(entry(one, 1, 0.02), entry(other, 2, 0.02))).containsExactly(2, 2);
    }

    @Test
    void what_differs_by_less_than_the_margin_is_tied_however_surely_it_differs() {
        List<Ranks.Entry> entries = List.of(entry(around(10, 0.001, 10), 1, 0), entry(around(10.15, 0.001, 10), 1, 0));
        assertThat(worst(Ranks.of(NONE, Better.LOWER, entries))).containsExactly(1, 2);
        List<Ranks.Range> tied = Ranks.of(new Margin(Scale.LN, 0.02, 0), Better.LOWER, entries);
        assertThat(tied).containsExactly(new Ranks.Range(1, 2, List.of(1)), new Ranks.Range(1, 2, List.of(0)));
        assertThat(worst(Ranks.of(new Margin(Scale.LN, 0.01, 0), Better.LOWER, entries)))
                .containsExactly(1, 2);
        assertThat(worst(Ranks.of(new Margin(Scale.LN, 0, 0.2), Better.LOWER, entries)))
                .as("nor by less than the floor")
                .containsExactly(2, 2);
    }

    /** Ten equal entries of a run each, runs varying by 2 %: without that in the variance nine boards in ten order some of them. */
    @Test
    void equal_entries_of_different_runs_are_ordered_as_seldom_as_promised() {
        Random random = new Random(11);
        int ordered = 0;
        int orderedWithout = 0;
        int rounds = 100;
        for (int round = 0; round < rounds; round++) {
            List<List<Double>> trials = new ArrayList<>();
            for (int entry = 0; entry < 10; entry++) {
                double run = 0.02 * random.nextGaussian();
                trials.add(noise(random, 10).stream()
                        .map(z -> Math.exp(run + 0.03 * z))
                        .toList());
            }
            ordered += orders(trials, RunSpread.FLOOR) ? 1 : 0;
            orderedWithout += orders(trials, 0) ? 1 : 0;
        }
        assertThat(ordered).isLessThanOrEqualTo(6);
        assertThat(orderedWithout).isGreaterThan(75);
    }

    private static boolean orders(List<List<Double>> trials, double runSpread) {
        List<Ranks.Entry> entries =
                trials.stream().map(values -> entry(values, 1, runSpread)).toList();
        return Ranks.of(NONE, Better.LOWER, entries).stream().anyMatch(range -> range.worst() < trials.size());
    }

    private static List<Integer> order(Ranks.Entry... entries) {
        return worst(Ranks.of(NONE, Better.LOWER, List.of(entries)));
    }

    private static List<Integer> worst(List<Ranks.Range> ranges) {
        return ranges.stream().map(Ranks.Range::worst).toList();
    }

    private static Ranks.Entry entry(List<Double> trials, long machine, double runSpread) {
        return new Ranks.Entry(trials, machine, runSpread);
    }

    private static List<Ranks.Range> ranks(Better better, List<List<Double>> trials) {
        return Ranks.of(
                NONE, better, trials.stream().map(values -> entry(values, 1, 0)).toList());
    }
}
