package dev.loomboard.stats.change;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Finds the change points of a series as Apache Otava does (Fleming et al., "Hunter", arXiv 2301.03034): a weak pass
 * over overlapping windows, then a strict one that removes the weakest points until all that are left hold.
 *
 * @param window points that the weak pass looks at at once; at least 2
 * @param maxP a point holds below it; over 0, at most 1
 * @param minMagnitude a point holds above it: {@link ChangePoint#magnitude}, a share
 */
public record Detector(int window, double maxP, double minMagnitude) {

    public static final Detector DEFAULT = new Detector(50, 0.001, 0);

    private static final Comparator<ChangePoint> BY_INDEX = Comparator.comparingInt(ChangePoint::index);

    public Detector {
        if (window < 2) {
            throw new IllegalArgumentException("window must be at least 2 points, is " + window);
        }
        if (!(maxP > 0 && maxP <= 1)) {
            throw new IllegalArgumentException("p must be over 0 and at most 1, is " + maxP);
        }
        if (!(minMagnitude >= 0 && Double.isFinite(minMagnitude))) {
            throw new IllegalArgumentException("magnitude must be a share of at least 0, is " + minMagnitude);
        }
    }

    /** In the order of the series, whose values must be finite. */
    public List<ChangePoint> changePoints(double[] series) {
        return changePoints(series, new HashMap<>());
    }

    /**
     * The same, for a series that grows at its end and is looked at again and again.
     *
     * @param known by their start, what windows gave that were whole at an earlier look; kept for the next one
     */
    public List<ChangePoint> changePoints(double[] series, Map<Integer, List<ChangePoint>> known) {
        for (int i = 0; i < series.length; i++) {
            if (!Double.isFinite(series[i])) {
                throw new IllegalArgumentException("value at " + i + " must be finite, is " + series[i]);
            }
        }
        return strict(series, weak(series, known));
    }

    /** Ten times the p, as far as there is room below 1. */
    private double weakP() {
        return maxP < 0.05 ? maxP * 10 : maxP < 0.5 ? maxP * 2 : maxP;
    }

    /** Windows start half a window apart, or at the last change point if that is farther. */
    private List<ChangePoint> weak(double[] series, Map<Integer, List<ChangePoint>> known) {
        List<ChangePoint> found = new ArrayList<>();
        int start = 0;
        while (start < series.length) {
            List<ChangePoint> here = start + window <= series.length
                    ? known.computeIfAbsent(start, from -> divided(series, from, from + window))
                    : divided(series, start, series.length);
            for (ChangePoint point : here) {
                if (found.stream().noneMatch(f -> f.index() == point.index())) {
                    found.add(point);
                }
            }
            start = StrictMath.max(
                    start + window / 2, here.isEmpty() ? 0 : here.getLast().index());
        }
        found.sort(BY_INDEX);
        List<ChangePoint> tested = new ArrayList<>(found);
        tested.replaceAll(point -> tested(point, series, 0, series.length, found));
        return tested;
    }

    /** Splits a window where the split is best, again and again, until a split is not significant. */
    private List<ChangePoint> divided(double[] series, int start, int end) {
        List<ChangePoint> points = new ArrayList<>();
        while (true) {
            Split best = null;
            int from = start;
            for (int i = 0; i <= points.size(); i++) {
                int to = i == points.size() ? end : points.get(i).index();
                if (to - from > 1) {
                    Split split = Split.best(series, start, from, to);
                    best = best == null || split.qhat() > best.qhat() ? split : best;
                }
                from = to;
            }
            if (best == null) {
                return points;
            }
            ChangePoint point = tested(new ChangePoint(best.index(), best.qhat(), 1, 0, 0), series, start, end, points);
            if (!(point.p() <= weakP())) {
                return points;
            }
            points.add(point);
            points.sort(BY_INDEX);
        }
    }

    /**
     * Removes the point of the greatest p until all are below the limit, then the one of the least magnitude until all are
     * above. After a removal the next two points are tested again and not the one before, whose level now reaches further:
     * a quirk of Apache Otava that is kept.
     */
    private List<ChangePoint> strict(double[] series, List<ChangePoint> weak) {
        List<ChangePoint> points = new ArrayList<>(weak);
        while (!points.isEmpty()) {
            int weakest = 0;
            int least = 0;
            for (int i = 1; i < points.size(); i++) {
                // In this form a p of NaN is passed over unless it comes first, as there.
                weakest = points.get(i).p() > points.get(weakest).p() ? i : weakest;
                least = points.get(i).magnitude() < points.get(least).magnitude() ? i : least;
            }
            boolean significant = points.get(weakest).p() < maxP;
            if (significant && points.get(least).magnitude() > minMagnitude) {
                return points;
            }
            int removed = significant ? least : weakest;
            points.remove(removed);
            for (int i = removed; i < StrictMath.min(removed + 2, points.size()); i++) {
                points.set(i, tested(points.get(i), series, 0, series.length, points));
            }
        }
        return points;
    }

    /** The point with the test of what lies between its neighbours among {@code points}, itself or not among them. */
    private static ChangePoint tested(
            ChangePoint point, double[] series, int start, int end, List<ChangePoint> points) {
        int from = start;
        int to = end;
        for (ChangePoint other : points) {
            if (other.index() < point.index()) {
                from = other.index();
            } else if (other.index() > point.index()) {
                to = other.index();
                break;
            }
        }
        Segment left = Segment.of(series, from, point.index());
        Segment right = Segment.of(series, point.index(), to);
        return new ChangePoint(
                point.index(), point.qhat(), TTest.pooledPopulation(left, right), left.mean(), right.mean());
    }
}
