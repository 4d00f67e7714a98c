package dev.loomboard.simulation;

import dev.loomboard.catalog.Metrics;
import dev.loomboard.stats.Confirmation;
import dev.loomboard.stats.Detector;
import dev.loomboard.stats.FollowUpPolicy;
import dev.loomboard.stats.Judgement;
import java.util.List;

/**
 * What is played. Every night is a firing of a new build, so delays in nights are delays in builds; a lower value is better.
 *
 * @param spread of nights, and of a rerun's trials, on the ln scale: about the share by which they vary
 * @param deltas the margins of the metric catalogue
 * @param installation series that one installation watches
 * @param nights of a year, beginning with a series' first
 * @param history points before a seeded slowdown
 * @param followed points from it on
 * @param family tests of a rerun: the cell's headline metrics, of which the others stay as they are
 * @param cells of a comparison, of which none or one is really different
 */
public record SimulationSetup(
        double spread,
        List<Double> deltas,
        int installation,
        int nights,
        int history,
        int followed,
        List<Slowdown> slowdowns,
        int family,
        int cells,
        List<Integer> blocks,
        List<Double> effects,
        Policy policy) {

    private static final double SPREAD = 0.03;

    /** @param change of the level, as a share; @param sure it should be confirmed soon */
    public record Slowdown(String title, double change, boolean sure) {}

    /** What the code decides by; see the classes of the same names. */
    public record Policy(
            int window,
            double maxP,
            double minMagnitude,
            int merged,
            int rerunBlocks,
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
                    SimulatedRerun.BLOCKS,
                    FollowUpPolicy.POINTS,
                    Judgement.ALPHA,
                    Confirmation.ALPHA);
        }
    }

    static SimulationSetup ofTheCode() {
        return new SimulationSetup(
                SPREAD,
                List.of(0.02, 0.05),
                200,
                365,
                100,
                60,
                List.of(
                        new Slowdown("3 %", 0.03, false),
                        new Slowdown("5 %", 0.05, false),
                        new Slowdown("10 %", 0.10, false),
                        new Slowdown("3 sd", StrictMath.expm1(3 * SPREAD), true)),
                Metrics.all().headlines(),
                30,
                List.of(5, 7, 10, 20),
                List.of(0.05, 0.10),
                Policy.ofTheCode());
    }
}
