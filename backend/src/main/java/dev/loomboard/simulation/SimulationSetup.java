package dev.loomboard.simulation;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.loomboard.stats.Margin;
import dev.loomboard.stats.RunSpread;
import dev.loomboard.stats.Scale;
import dev.loomboard.stats.change.Confirmation;
import dev.loomboard.stats.change.Detector;
import dev.loomboard.stats.change.FollowUpPolicy;
import dev.loomboard.stats.change.SequentialRerun;
import dev.loomboard.stats.paired.Judgement;
import java.util.List;

/**
 * What is played. Every night is a firing of a new build, so delays in nights are delays in builds; a lower value is better.
 *
 * @param deltas the margins of the metric catalogue
 * @param installation series that one installation watches
 * @param few series of a small one
 * @param nights of a year, beginning with a series' first
 * @param history points before a seeded slowdown
 * @param followed points from it on
 * @param spreads of launches that reruns are played with
 * @param changes the same, of the true level
 */
public record SimulationSetup(
        @JsonUnwrapped Night night,
        List<Double> deltas,
        int installation,
        int few,
        int nights,
        int history,
        int followed,
        List<Slowdown> slowdowns,
        List<Double> spreads,
        List<Double> changes,
        @JsonUnwrapped Comparisons comparisons,
        Policy policy) {

    private static final double SPREAD = 0.025;

    /**
     * @param spread of launches, of a night's as of a rerun's, on the ln scale: about the share by which they vary
     * @param nightSpread of nights, which shift the series and its control alike; assumed, as ranks assume it
     * @param launches of the series and of its control in a night
     * @param loss share of launches that are lost
     */
    public record Night(double spread, double nightSpread, int launches, double loss) {}

    /**
     * @param cells of a comparison, of which none or one is really different
     * @param effects by which that one differs
     */
    public record Comparisons(int cells, List<Integer> blocks, List<Double> effects) {}

    /**
     * @param change of the level, as a share
     * @param sure it should be confirmed soon
     */
    public record Slowdown(String title, double change, boolean sure) {}

    /** What the code decides by; see the classes of the same names. */
    public record Policy(
            int window,
            double maxP,
            double minMagnitude,
            int merged,
            int leastPoints,
            List<Integer> looks,
            double looksAlpha,
            int historyPoints,
            double alpha,
            double historyAlpha) {

        static Policy ofTheCode() {
            Detector detector = Detector.DEFAULT;
            return new Policy(
                    detector.window(),
                    detector.maxP(),
                    detector.minMagnitude(),
                    FollowUpPolicy.MERGED,
                    FollowUpPolicy.LEAST_POINTS,
                    SequentialRerun.LOOKS,
                    SequentialRerun.ALPHA,
                    FollowUpPolicy.POINTS,
                    Judgement.ALPHA,
                    Confirmation.ALPHA);
        }
    }

    List<Margin> margins() {
        return deltas.stream().map(delta -> new Margin(Scale.LN, delta, 0)).toList();
    }

    static SimulationSetup ofTheCode() {
        return new SimulationSetup(
                new Night(SPREAD, RunSpread.FLOOR, 3, 0.02),
                List.of(0.02, 0.05),
                200,
                8,
                365,
                100,
                30,
                List.of(
                        new Slowdown("3 %", 0.03, false),
                        new Slowdown("5 %", 0.05, false),
                        new Slowdown("10 %", 0.10, false),
                        new Slowdown("3 sd", StrictMath.expm1(3 * SPREAD), true)),
                List.of(0.015, 0.025, 0.04, 0.065),
                List.of(0.0, 0.03, 0.05, 0.10),
                new Comparisons(30, List.of(5, 7, 10, 20), List.of(0.05, 0.10)),
                Policy.ofTheCode());
    }
}
