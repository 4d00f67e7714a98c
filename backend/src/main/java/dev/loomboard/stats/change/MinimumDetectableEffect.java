package dev.loomboard.stats.change;

import dev.loomboard.stats.Autocorrelation;
import dev.loomboard.stats.Margin;
import dev.loomboard.stats.Moments;
import dev.loomboard.stats.Scale;
import dev.loomboard.stats.SpreadInterval;
import dev.loomboard.stats.paired.Power;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.DoubleUnaryOperator;
import org.apache.commons.statistics.distribution.NormalDistribution;
import org.jspecify.annotations.Nullable;

/**
 * The smallest change of a series that would be confirmed in {@link Power#WANTED} of cases, by a rerun or by history.
 * As that asks both for a small p and for an effect of at least δ, so does this.
 *
 * @param points it was learnt from
 * @param r their dependence on the one before; null: fewer than
 *     {@link Autocorrelation#LEAST_POINTS}, so it is not known
 * @param pointSpread standard deviation of points within their level, on the scale; null: too few
 * @param trialSpread of trials
 *     within their point, or of points where each is one trial
 * @param byHistory with {@link FollowUpPolicy#POINTS} points on each side: a ratio − 1 on the ln scale, else in the metric's unit;
 *     null: it can confirm nothing
 * @param byRerun with all {@link SequentialRerun#LOOKS} of a rerun
 * @param historyRange the same at both ends of the 95 % interval of the spread; null: there is none, or {@link #ENOUGH_FREEDOM} degrees
 *     of freedom or more know the spread
 * @param rerunRange the same
 */
public record MinimumDetectableEffect(
        int points,
        @Nullable Double r,
        @Nullable Double pointSpread,
        @Nullable Double trialSpread,
        @Nullable Double byHistory,
        @Nullable Double byRerun,
        @Nullable Range historyRange,
        @Nullable Range rerunRange) {

    /** As {@link #byHistory}. */
    public record Range(double low, double high) {}

    private record Once(int blocks, double alpha) {}

    /** Pooled over points or levels, on the scale. */
    private record Spread(double value, int freedom) {}

    /** From this many degrees of freedom on no range is shown: the spread is then known to between 0.77 and 1.44 times its estimate. */
    static final int ENOUGH_FREEDOM = 20;

    /** Degrees of freedom that a spread needs: with fewer it may be off by half. */
    static final int LEAST_FREEDOM = 4;

    private static final double OFTEN = NormalDistribution.of(0, 1).inverseCumulativeProbability(Power.WANTED);
    private static final int HUNDREDTHS = 100;
    /** Shifts cost milliseconds and depend on little: r in hundredths. */
    private static final Map<Integer, Double> OF_HISTORY = new ConcurrentHashMap<>();

    private static final Map<Once, Double> OF_BLOCKS = new ConcurrentHashMap<>();

    /** As if the last look were the only one: that the others may find it too makes it a little more. */
    private static final double OF_RERUN =
            Power.shift(SequentialRerun.MOST_BLOCKS - 1.0, new SequentialRerun(SequentialRerun.LOOKS).neededP());

    /**
     * @param levels means of the points between changes, in the metric's unit; of points that may be judged
     * @param trials values of each point's trials
     */
    public static MinimumDetectableEffect of(Margin margin, List<List<Double>> levels, List<List<Double>> trials) {
        int points = levels.stream().mapToInt(List::size).sum();
        Spread between = spread(margin.scale(), levels);
        boolean single = trials.stream().allMatch(values -> values.size() == 1);
        Spread within = single ? between : spread(margin.scale(), trials);
        Double r = points < Autocorrelation.LEAST_POINTS ? null : Double.valueOf(dependence(margin.scale(), levels));
        double level = points == 0 ? 0 : margin.scale().from(last(margin.scale(), levels));
        DoubleUnaryOperator history = r == null ? null : byHistory(margin, level, r);
        DoubleUnaryOperator rerun =
                spread -> size(margin, level, spread * StrictMath.sqrt(2.0 / SequentialRerun.MOST_BLOCKS), OF_RERUN);
        return new MinimumDetectableEffect(
                points,
                r,
                between == null ? null : between.value,
                within == null ? null : within.value,
                size(between, history),
                size(within, rerun),
                range(between, history),
                range(within, rerun));
    }

    /** By whichever of the two finds less; null: neither is known. */
    public @Nullable Double least() {
        Double history = byHistory;
        Double rerun = byRerun;
        return history == null ? rerun : rerun == null ? history : Double.valueOf(StrictMath.min(history, rerun));
    }

    /**
     * As {@link #byRerun}, at a spread that is measured elsewhere or assumed.
     *
     * @param level mean, in the metric's unit
     * @param spread standard deviation of trials, on the scale
     */
    public static double byRerun(Margin margin, double level, double spread) {
        return size(margin, level, spread * StrictMath.sqrt(2.0 / SequentialRerun.MOST_BLOCKS), OF_RERUN);
    }

    /**
     * The same of blocks that are judged once.
     *
     * @param blocks at least two
     * @param alpha that p must be below
     */
    public static double byBlocks(Margin margin, double level, double spread, int blocks, double alpha) {
        double shift = OF_BLOCKS.computeIfAbsent(
                new Once(blocks, alpha), once -> Power.shift(once.blocks() - 1.0, once.alpha()));
        return size(margin, level, spread * StrictMath.sqrt(2.0 / blocks), shift);
    }

    private static @Nullable Double size(@Nullable Spread spread, @Nullable DoubleUnaryOperator sizes) {
        return spread == null || sizes == null ? null : sizes.applyAsDouble(spread.value);
    }

    private static @Nullable Range range(@Nullable Spread spread, @Nullable DoubleUnaryOperator sizes) {
        if (spread == null || sizes == null || spread.freedom >= ENOUGH_FREEDOM) {
            return null;
        }
        SpreadInterval known = SpreadInterval.of(spread.value, spread.freedom);
        return new Range(sizes.applyAsDouble(known.low()), sizes.applyAsDouble(known.high()));
    }

    /** Of a spread, with a point less on each side, since it has to hold without any of them; null: it can confirm nothing. */
    private static @Nullable DoubleUnaryOperator byHistory(Margin margin, double level, double r) {
        int hundredths = (int) StrictMath.ceil(r * HUNDREDTHS);
        double points = Autocorrelation.effective(FollowUpPolicy.POINTS - 1, (double) hundredths / HUNDREDTHS);
        if (points <= 1) {
            return null;
        }
        double shift = OF_HISTORY.computeIfAbsent(hundredths, of -> Power.shift(2 * (points - 1), Confirmation.ALPHA));
        return spread -> size(margin, level, spread * StrictMath.sqrt(2 / points), shift);
    }

    private static double size(Margin margin, double level, double error, double shift) {
        double least = margin.between(level, level);
        return margin.outward(StrictMath.max(shift * error, least + OFTEN * error));
    }

    /** Pooled over the groups; null: too little to say. */
    private static @Nullable Spread spread(Scale scale, List<List<Double>> groups) {
        double squares = 0;
        int freedom = 0;
        for (List<Double> group : groups) {
            if (!group.isEmpty()) {
                squares += Moments.of(group, scale).variance() * (group.size() - 1);
                freedom += group.size() - 1;
            }
        }
        return freedom < LEAST_FREEDOM ? null : new Spread(StrictMath.sqrt(squares / freedom), freedom);
    }

    private static double dependence(Scale scale, List<List<Double>> levels) {
        return Autocorrelation.of(levels.stream()
                .map(level -> level.stream().mapToDouble(scale::to).toArray())
                .toList());
    }

    private static double last(Scale scale, List<List<Double>> levels) {
        return levels.reversed().stream()
                .filter(level -> !level.isEmpty())
                .findFirst()
                .map(level -> Moments.of(level, scale).mean())
                .orElseThrow();
    }
}
