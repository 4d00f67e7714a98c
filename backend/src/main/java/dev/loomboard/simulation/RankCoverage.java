package dev.loomboard.simulation;

import dev.loomboard.stats.Better;
import dev.loomboard.stats.Margin;
import dev.loomboard.stats.Ranks;
import dev.loomboard.stats.RunSpread;
import dev.loomboard.stats.Scale;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * What the ranks of boards are worth on which one entry is {@link #AHEAD} better and all others are equal, each measured in
 * a run of its own: launches and runs vary normally, on the ln scale.
 *
 * @param held boards that order no two of the equal entries
 * @param told boards that surely place the better one first
 * @param digest sum of the entries' worst places
 */
public record RankCoverage(Case of, int entries, int boards, int held, int told, long digest) {

    /** @param runs of the control that are known; 0: the spread is assumed */
    public record Case(double runSpread, int runs) {}

    public static final double LAUNCH_SPREAD = 0.03;
    public static final double AHEAD = 0.15;
    static final int TRIALS_OF_CONTROL = 5;
    static final List<Integer> ENTRIES = List.of(5, 10, 20);
    static final List<Case> CASES = List.of(
            new Case(0, 0),
            new Case(0.01, 0),
            new Case(0.02, 0),
            new Case(0, RunSpread.LEAST_RUNS),
            new Case(0.01, RunSpread.LEAST_RUNS),
            new Case(0.03, RunSpread.LEAST_RUNS),
            new Case(0.03, 20));

    private static final Margin NO_MARGIN = new Margin(Scale.LN, 0, 0); // with one less is ordered, so more is held

    /** All cases × sizes, of the board of this index. */
    static List<RankCoverage> one(long seed, int index) {
        List<RankCoverage> all = new ArrayList<>();
        for (Case of : CASES) {
            for (int entries : ENTRIES) {
                all.add(board(of, entries, NoiseResult.random(seed, -1, index, all.size())));
            }
        }
        return all;
    }

    private static RankCoverage board(Case of, int entries, Random random) {
        double spread = spread(of, random);
        List<Ranks.Entry> ranked = new ArrayList<>();
        for (int entry = 0; entry < entries; entry++) {
            double level = entry == 0 ? StrictMath.log1p(-AHEAD) : 0;
            ranked.add(new Ranks.Entry(run(level, of, Ranks.TRIALS_TO_RANK, random), 0, spread));
        }
        List<Ranks.Range> ranges = Ranks.of(NO_MARGIN, Better.LOWER, ranked);
        boolean held =
                ranges.subList(1, entries).stream().allMatch(range -> range.best() <= 2 && range.worst() == entries);
        boolean told = ranges.getFirst().worst() == 1;
        long digest = ranges.stream().mapToLong(Ranks.Range::worst).sum();
        return new RankCoverage(of, entries, 1, held ? 1 : 0, told ? 1 : 0, digest);
    }

    private static double spread(Case of, Random random) {
        List<RunSpread.Measured> control = new ArrayList<>();
        for (int run = 0; run < of.runs(); run++) {
            control.add(new RunSpread.Measured(run, run(0, of, TRIALS_OF_CONTROL, random)));
        }
        return RunSpread.of(List.of(new RunSpread.Repeats(0, control))).spread();
    }

    /** The trials of a cell in one run. */
    private static List<Double> run(double level, Case of, int trials, Random random) {
        double here = level + of.runSpread() * random.nextGaussian();
        List<Double> values = new ArrayList<>();
        for (int trial = 0; trial < trials; trial++) {
            values.add(StrictMath.exp(here + LAUNCH_SPREAD * random.nextGaussian()));
        }
        return values;
    }

    RankCoverage plus(RankCoverage other) {
        return new RankCoverage(
                of, entries, boards + other.boards, held + other.held, told + other.told, digest + other.digest);
    }
}
