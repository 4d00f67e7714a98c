package dev.loomboard.stats;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * Simultaneous 95 % confidence sets for ranks: with that probability every set holds its true rank (Mogstad, Romano, Shaikh,
 * Wilhelm, "Inference for Ranks", Review of Economic Studies 2024, section 3: all pairs, stepwise). A difference smaller
 * than the margin orders nothing.
 *
 * <p>The variance of an entry's mean is σ²(run) + σ²(trials)/n, that of a difference between machines 2σ²(machine) more.
 * The critical value comes from a parametric bootstrap with a fixed seed, in which the spreads of trials are drawn as
 * the means are: with five trials a side the normal curve would promise too much.
 */
public final class Ranks {

    /** Trials of an entry that appears beside others, and of one that is ranked ({@code /methodology#ranks}). */
    public static final int TRIALS_TO_APPEAR = 5;

    public static final int TRIALS_TO_RANK = 10;
    /** Entries to rank together: the time it takes grows with their square, and two hundred take 0.23 s. */
    public static final int MOST = 200;

    public static final double COVERAGE = 0.95;
    public static final int DRAWS = 2000;
    /** How much machines of one class differ, on the ln scale: assumed, since few installations have enough of them to know. */
    public static final double MACHINE_SPREAD = 0.02;

    private static final long SEED = 20_261_121;

    private final Margin margin;
    private final Moments[] cells;
    private final double[] runs;
    private final int[] machines;
    private final double sign;
    private final double[][] means = new double[DRAWS][];
    private final double[][] variances = new double[DRAWS][];

    private Ranks(Margin margin, Better better, List<Entry> entries) {
        this.margin = margin;
        this.cells = new Moments[entries.size()];
        this.runs = new double[cells.length];
        this.machines = new int[cells.length];
        this.sign = better == Better.LOWER ? 1 : -1;
        List<Long> seen = entries.stream().map(Entry::machine).distinct().toList();
        for (int i = 0; i < cells.length; i++) {
            Entry entry = entries.get(i);
            if (entry.trials().size() < 2
                    || margin.scale() == Scale.LN && entry.trials().stream().anyMatch(v -> !(v > 0))) {
                throw new IllegalArgumentException("a rank needs at least two trials, on the ln scale positive; entry "
                        + i + " has " + entry.trials());
            }
            cells[i] = Moments.of(entry.trials(), margin.scale());
            runs[i] = entry.runSpread() * entry.runSpread();
            machines[i] = seen.indexOf(entry.machine());
        }
    }

    /**
     * What is ranked.
     *
     * @param trials their values, at least two, on the ln scale positive
     * @param machine internal key
     * @param runSpread standard deviation from run to run, on the scale
     */
    public record Entry(List<Double> trials, long machine, double runSpread) {
        public Entry {
            trials = List.copyOf(trials);
        }
    }

    /**
     * From {@code best} to {@code worst}, 1 being the best of all; equal ends are a rank that is certain.
     *
     * @param tied indices of the entries that it cannot be distinguished from, the nearest first: as many as the range is wide
     */
    public record Range(int best, int worst, List<Integer> tied) {
        public Range {
            tied = List.copyOf(tied);
        }
    }

    /** In the order given. */
    public static List<Range> of(Margin margin, Better better, List<Entry> entries) {
        Ranks ranks = new Ranks(margin, better, entries);
        ranks.draw();
        return ranks.ranges(ranks.better());
    }

    private void draw() {
        Random random = new Random(SEED); // its algorithm is part of Java's specification
        int count = Arrays.stream(machines).max().orElse(-1) + 1;
        for (int draw = 0; draw < DRAWS; draw++) {
            means[draw] = new double[cells.length];
            variances[draw] = new double[cells.length];
            double[] hosts = new double[count];
            for (int machine = 0; count > 1 && machine < count; machine++) {
                hosts[machine] = random.nextGaussian() * MACHINE_SPREAD;
            }
            for (int i = 0; i < cells.length; i++) {
                double variance = cells[i].variance() / cells[i].count();
                int freedom = cells[i].count() - 1;
                double squares = 0;
                for (int k = 0; k < freedom; k++) {
                    double one = random.nextGaussian();
                    squares += one * one;
                }
                means[draw][i] = hosts[machines[i]] + random.nextGaussian() * StrictMath.sqrt(variance + runs[i]);
                variances[draw][i] = variance * squares / freedom + runs[i];
            }
        }
    }

    /** Whether i is surely better than k, for all pairs; each round of rejections lowers the bar for the rest. */
    private boolean[][] better() {
        boolean[][] better = new boolean[cells.length][cells.length];
        Greatest[] greatest = new Greatest[DRAWS];
        boolean more = true;
        while (more) {
            more = false;
            double critical = critical(better, greatest);
            for (int i = 0; i < cells.length; i++) {
                for (int k = 0; k < cells.length; k++) {
                    if (!better[i][k] && i != k && observed(i, k) > critical) {
                        better[i][k] = true;
                        more = true;
                    }
                }
            }
        }
        return better;
    }

    /** The greatest squared statistic of a draw, and whose: that {@code i} is better than {@code k}. */
    private record Greatest(double squared, int i, int k) {}

    /**
     * What the greatest statistic of the pairs that are still open stays below in 95 % of the draws. Closing a pair
     * changes only those draws whose greatest it was.
     */
    private double critical(boolean[][] closed, @Nullable Greatest[] greatest) {
        for (int draw = 0; draw < DRAWS; draw++) {
            Greatest last = greatest[draw];
            if (last == null || closed[last.i][last.k]) {
                greatest[draw] = greatest(draw, closed);
            }
        }
        double[] sorted = Arrays.stream(greatest)
                .mapToDouble(g -> Objects.requireNonNull(g).squared)
                .toArray();
        Arrays.sort(sorted);
        return StrictMath.sqrt(sorted[(int) StrictMath.ceil(COVERAGE * (DRAWS + 1)) - 1]);
    }

    /** Squares spare a root per pair: they are in the same order. Cells without spread differ in no draw. */
    private Greatest greatest(int draw, boolean[][] closed) {
        double[] mean = means[draw];
        double[] variance = variances[draw];
        double most = 0;
        int best = 0;
        int worse = 0;
        for (int i = 0; i < mean.length; i++) {
            for (int k = 0; k < i; k++) {
                double apart = mean[k] - mean[i];
                double squared = apart * apart / (variance[i] + variance[k] + between(i, k));
                if (squared > most && !(apart > 0 ? closed[i][k] : closed[k][i])) {
                    most = squared;
                    best = apart > 0 ? i : k;
                    worse = apart > 0 ? k : i;
                }
            }
        }
        return new Greatest(most, best, worse);
    }

    private double observed(int i, int k) {
        return statistic(
                sign * (cells[k].mean() - cells[i].mean()),
                cells[i].variance() / cells[i].count()
                        + runs[i]
                        + cells[k].variance() / cells[k].count()
                        + runs[k]
                        + between(i, k));
    }

    /** What machines add to the variance of a difference: on one machine they cancel. */
    private double between(int i, int k) {
        return machines[i] == machines[k] ? 0 : 2 * MACHINE_SPREAD * MACHINE_SPREAD;
    }

    /** Without any spread a difference is infinitely many errors wide. */
    private static double statistic(double difference, double variance) {
        return difference == 0 ? 0 : difference / StrictMath.sqrt(variance);
    }

    private boolean matters(int i, int k) {
        Scale scale = margin.scale();
        return StrictMath.abs(cells[i].mean() - cells[k].mean())
                >= margin.between(scale.from(cells[i].mean()), scale.from(cells[k].mean()));
    }

    private List<Range> ranges(boolean[][] better) {
        List<Range> ranges = new ArrayList<>(cells.length);
        for (int i = 0; i < cells.length; i++) {
            int above = 0;
            int below = 0;
            List<Integer> tied = new ArrayList<>();
            for (int k = 0; k < cells.length; k++) {
                boolean matters = i != k && matters(i, k);
                above += matters && better[k][i] ? 1 : 0;
                below += matters && better[i][k] ? 1 : 0;
                if (i != k && !(matters && (better[k][i] || better[i][k]))) {
                    tied.add(k);
                }
            }
            double mean = cells[i].mean();
            tied.sort(Comparator.comparingDouble(k -> StrictMath.abs(cells[k].mean() - mean)));
            ranges.add(new Range(1 + above, cells.length - below, tied));
        }
        return ranges;
    }
}
