package dev.loomboard.stats;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.commons.statistics.distribution.NormalDistribution;
import org.jspecify.annotations.Nullable;

/**
 * The smallest change of a series that would be confirmed in {@link Power#WANTED} of cases, by either route of STATISTICS §2.
 * As that asks both for a small p and for an effect of at least δ, so does this.
 *
 * @param points it was learnt from; @param r their dependence on the one before; null: fewer than
 *     {@link Autocorrelation#LEAST_POINTS}, so it is not known
 * @param pointSpread standard deviation of points within their level, on the scale; null: too few; @param trialSpread of trials
 *     within their point, or of points where each is one trial
 * @param byHistory with {@link FollowUpPolicy#POINTS} points on each side: a ratio − 1 on the ln scale, else in the metric's unit;
 *     null: it can confirm nothing; @param byRerun with all {@link SequentialRerun#LOOKS} of a rerun
 */
public record MinimumDetectableEffect(
        int points,
        @Nullable Double r,
        @Nullable Double pointSpread,
        @Nullable Double trialSpread,
        @Nullable Double byHistory,
        @Nullable Double byRerun) {

    /** Degrees of freedom that a spread needs: with fewer it may be off by half. */
    static final int LEAST_FREEDOM = 4;

    private static final double OFTEN = NormalDistribution.of(0, 1).inverseCumulativeProbability(Power.WANTED);
    private static final int HUNDREDTHS = 100;
    /** Shifts cost milliseconds and depend on little: r in hundredths. */
    private static final Map<Integer, Double> OF_HISTORY = new ConcurrentHashMap<>();

    /** As if the last look were the only one: that the others may find it too makes it a little more. */
    private static final double OF_RERUN =
            Power.shift(SequentialRerun.MOST_BLOCKS - 1.0, new SequentialRerun(SequentialRerun.LOOKS).neededP());

    /**
     * @param levels means of the points between changes, in the metric's unit; of points that may be judged
     * @param trials values of each point's trials
     */
    public static MinimumDetectableEffect of(Margin margin, List<List<Double>> levels, List<List<Double>> trials) {
        int points = levels.stream().mapToInt(List::size).sum();
        Double between = spread(margin.scale(), levels);
        boolean single = trials.stream().allMatch(values -> values.size() == 1);
        Double within = single ? between : spread(margin.scale(), trials);
        Double r = points < Autocorrelation.LEAST_POINTS ? null : Double.valueOf(dependence(margin.scale(), levels));
        double level = points == 0 ? 0 : margin.scale().from(last(margin.scale(), levels));
        return new MinimumDetectableEffect(
                points,
                r,
                between,
                within,
                between == null || r == null ? null : byHistory(margin, level, between, r),
                within == null ? null : Double.valueOf(byRerun(margin, level, within)));
    }

    /** With a point less on each side, since it has to hold without any of them. */
    private static @Nullable Double byHistory(Margin margin, double level, double spread, double r) {
        int hundredths = (int) StrictMath.ceil(r * HUNDREDTHS);
        double points = Autocorrelation.effective(FollowUpPolicy.POINTS - 1, (double) hundredths / HUNDREDTHS);
        if (points <= 1) {
            return null;
        }
        double shift = OF_HISTORY.computeIfAbsent(hundredths, of -> Power.shift(2 * (points - 1), Confirmation.ALPHA));
        return size(margin, level, spread * StrictMath.sqrt(2 / points), shift);
    }

    private static double byRerun(Margin margin, double level, double spread) {
        return size(margin, level, spread * StrictMath.sqrt(2.0 / SequentialRerun.MOST_BLOCKS), OF_RERUN);
    }

    private static double size(Margin margin, double level, double error, double shift) {
        double least = margin.between(level, level);
        return margin.outward(StrictMath.max(shift * error, least + OFTEN * error));
    }

    /** Pooled over the groups; null: too little to say. */
    private static @Nullable Double spread(Scale scale, List<List<Double>> groups) {
        double squares = 0;
        int freedom = 0;
        for (List<Double> group : groups) {
            if (!group.isEmpty()) {
                squares += Moments.of(group, scale).variance() * (group.size() - 1);
                freedom += group.size() - 1;
            }
        }
        return freedom < LEAST_FREEDOM ? null : Double.valueOf(StrictMath.sqrt(squares / freedom));
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
