package dev.loomboard.about;

import dev.loomboard.catalog.Metric;
import dev.loomboard.catalog.Metrics;
import dev.loomboard.ingest.Plausibility;
import dev.loomboard.simulation.Simulation;
import dev.loomboard.simulation.SimulationReport;
import dev.loomboard.stats.Autocorrelation;
import dev.loomboard.stats.Margin;
import dev.loomboard.stats.Methodology;
import dev.loomboard.stats.Ranks;
import dev.loomboard.stats.RunSpread;
import dev.loomboard.stats.change.Confirmation;
import dev.loomboard.stats.change.ControlComparison;
import dev.loomboard.stats.change.Detector;
import dev.loomboard.stats.change.FollowUpPolicy;
import dev.loomboard.stats.change.NightlyScreen;
import dev.loomboard.stats.change.SequentialRerun;
import dev.loomboard.stats.latency.Eligibility;
import dev.loomboard.stats.latency.Failures;
import dev.loomboard.stats.paired.Effect;
import dev.loomboard.stats.paired.Judgement;
import dev.loomboard.verdict.DeclaredTest;
import dev.loomboard.web.Page;
import dev.loomboard.web.PageTwin;
import java.time.Duration;
import java.util.List;

/**
 * How numbers are made. Parameters are those that the code decides by.
 *
 * @param hitsBeyond that a percentile needs to be judged
 * @param independent hits that these must be worth
 * @param compared metrics that comparisons are declared on, with their margins
 * @param simulated figures of the published run, with the parameters that it was made by
 */
public record MethodologyPage(
        String version,
        int hitsBeyond,
        int independent,
        Judging judging,
        Refuting refuting,
        Ranking ranking,
        Watching watching,
        List<Metric> compared,
        SimulationReport simulated)
        implements Page, PageTwin {

    private static final MethodologyPage OF_THE_CODE = new MethodologyPage(
            Methodology.VERSION,
            Eligibility.LEAST_BEYOND,
            Eligibility.LEAST_INDEPENDENT,
            Judging.ofTheCode(),
            Refuting.ofTheCode(),
            Ranking.ofTheCode(),
            Watching.ofTheCode(),
            DeclaredTest.COMPARED.stream().map(Metrics.all()::get).toList(),
            SimulationReport.of(Simulation.published()));

    /**
     * @param alpha that an adjusted p must be below
     * @param latencyFloorMs less than this never matters
     * @param mostFailed share of a side's hits
     */
    public record Judging(double alpha, int leastBlocks, double latencyFloorMs, double mostFailed) {

        private static Judging ofTheCode() {
            return new Judging(Judgement.ALPHA, Effect.LEAST_BLOCKS, Margin.LATENCY_FLOOR_MS, Failures.MOST);
        }
    }

    /** See {@link Plausibility}, whose parameters they are. */
    public record Refuting(
            double earlyShare,
            double earlyMs,
            double mostEarly,
            double leastMib,
            double leastLive,
            double mostCpu,
            Duration clocks,
            Duration overlap) {

        private static Refuting ofTheCode() {
            return new Refuting(
                    Plausibility.EARLY_SHARE,
                    Plausibility.EARLY_MS,
                    Plausibility.MOST_EARLY,
                    Plausibility.LEAST_MIB,
                    Plausibility.LEAST_LIVE,
                    Plausibility.MOST_CPU,
                    Plausibility.CLOCKS,
                    Plausibility.OVERLAP);
        }
    }

    /**
     * @param toAppear trials of a provisional row
     * @param toRank of a ranked one
     * @param most rows of a board
     * @param assumedSpread from run to run
     * @param runsForIt that are needed to know it
     */
    public record Ranking(
            int toAppear,
            int toRank,
            double coverage,
            int draws,
            int most,
            double assumedSpread,
            int runsForIt,
            double spreadConfidence,
            double machineSpread) {

        private static Ranking ofTheCode() {
            return new Ranking(
                    Ranks.TRIALS_TO_APPEAR,
                    Ranks.TRIALS_TO_RANK,
                    Ranks.COVERAGE,
                    Ranks.DRAWS,
                    Ranks.MOST,
                    RunSpread.FLOOR,
                    RunSpread.LEAST_RUNS,
                    RunSpread.CONFIDENCE,
                    Ranks.MACHINE_SPREAD);
        }
    }

    /**
     * How histories are watched; see the classes of the parameters' names.
     *
     * @param looks at a rerun: paired blocks in all
     * @param looksAlpha error that they spend together
     */
    public record Watching(
            Detector detector,
            int merged,
            int pointsOfLevels,
            List<Integer> looks,
            double looksAlpha,
            int historyPoints,
            int leastPoints,
            double alpha,
            double mostAutocorrelation,
            int pointsForIt,
            int controlNights,
            Screening screening) {

        /**
         * @param past nights before, at most
         * @param least of them
         * @param hours of a day that reruns may have
         * @param starts reruns that quiet nights of all series start, at most
         * @param loosest share of quiet nights
         */
        public record Screening(int past, int least, double hours, int starts, double loosest) {}

        private static Watching ofTheCode() {
            return new Watching(
                    Detector.DEFAULT,
                    FollowUpPolicy.MERGED,
                    FollowUpPolicy.LEAST_POINTS,
                    SequentialRerun.LOOKS,
                    SequentialRerun.ALPHA,
                    FollowUpPolicy.POINTS,
                    Confirmation.LEAST_POINTS,
                    Confirmation.ALPHA,
                    Autocorrelation.MOST,
                    Autocorrelation.LEAST_POINTS,
                    ControlComparison.LEAST,
                    new Screening(
                            NightlyScreen.PAST,
                            NightlyScreen.LEAST_PAST,
                            NightlyScreen.BUDGET_SECONDS / 3600,
                            NightlyScreen.MOST_STARTS,
                            NightlyScreen.LOOSEST));
        }
    }

    static MethodologyPage ofTheCode() {
        return OF_THE_CODE;
    }

    @Override
    public String template() {
        return "about/methodology.jte";
    }
}
