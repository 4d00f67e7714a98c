package dev.loomboard.simulation;

import dev.loomboard.stats.Estimate;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How a seeded slowdown was found.
 *
 * @param suspected series by the night of the first suspicion; the first number is that of the slowdown's own night
 * @param digest see {@link SimulatedWatch#digest}
 */
public record Detection(
        SimulationSetup.Slowdown slowdown,
        int series,
        List<Integer> suspected,
        List<Confirmed> confirmed,
        double digest) {

    /** What counts as soon: within two weeks. */
    public static final int SOON = 14;

    /** Of one margin: series by the night of the message. */
    public record Confirmed(double delta, List<Integer> nights) {}

    /** @param nights series by the night */
    SimulationReport.Delay delay(List<Integer> nights) {
        return new SimulationReport.Delay(
                Estimate.share(count(nights, SOON), series),
                Estimate.share(count(nights, nights.size()), series),
                median(nights));
    }

    private static int count(List<Integer> nights, int points) {
        return nights.subList(0, points).stream().mapToInt(n -> n).sum();
    }

    /** Points of the new level that had come when half of those that were found had been found. */
    private static @Nullable Integer median(List<Integer> nights) {
        int all = count(nights, nights.size());
        for (int points = 1; points <= nights.size() && all > 0; points++) {
            if (2 * count(nights, points) >= all) {
                return points;
            }
        }
        return null;
    }

    Detection plus(Detection other) {
        List<Confirmed> both = new ArrayList<>();
        for (int i = 0; i < confirmed.size(); i++) {
            Confirmed one = confirmed.get(i);
            both.add(new Confirmed(one.delta, sum(one.nights, other.confirmed.get(i).nights)));
        }
        return new Detection(
                slowdown, series + other.series, sum(suspected, other.suspected), both, digest + other.digest);
    }

    private static List<Integer> sum(List<Integer> one, List<Integer> two) {
        List<Integer> both = new ArrayList<>(one);
        for (int i = 0; i < both.size(); i++) {
            both.set(i, both.get(i) + two.get(i));
        }
        return both;
    }
}
