package dev.loomboard.matching;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.loomboard.cell.CellSettings;
import dev.loomboard.cell.Jdk;
import dev.loomboard.cell.MachineRef;
import dev.loomboard.cell.ServerVariant;
import dev.loomboard.cell.Standing;
import dev.loomboard.kernel.WireName;
import dev.loomboard.retracted.Retracted;
import dev.loomboard.stats.RatioMean;
import dev.loomboard.stats.paired.Verdict;
import dev.loomboard.verdict.JudgedTest;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Two JDK builds, cell by cell: the newest result of each on the same machine with the same everything else.
 *
 * @param distribution their lineages differ: a difference is one of the distribution, not of the JDK
 * @param pairs in the order of scenario, server, variant, machine, metric; cells that only one build has are left out
 */
public record Comparison(Jdk baseline, Jdk candidate, boolean distribution, List<Pair> pairs) {

    public Comparison with(List<Pair> others) {
        return new Comparison(baseline, candidate, distribution, others);
    }

    /**
     * What both sides of a pair are.
     *
     * @param jdk slug of the build that both ran on; null: the builds are what is compared
     */
    public record Cell(
            String scenarioKey,
            String workload,
            @JsonUnwrapped ServerVariant server,
            @JsonUnwrapped CellSettings settings,

            @JsonUnwrapped @JsonIgnoreProperties("machineSlug")
            MachineRef machine,

            @Nullable String jdk,
            String metric) {}

    /** What an estimate is made of: the paired trials of one run, or all of both sides. */
    public enum Method implements WireName {
        BLOCKS,
        WELCH
    }

    /**
     * @param ratio candidate ÷ baseline, of their means on the metric's declared scale; null: there is none, see the reason
     * @param low lower end of the 95 % interval of the ratio; null: fewer than two trials on a side
     */
    public record Estimate(
            @Nullable Double ratio,
            @Nullable Double low,
            @Nullable Double high,
            Method method) {}

    /**
     * Two cells that differ in what is compared alone; its JSON is flat.
     *
     * @param judged the test that was declared when their run was; null: none was, or the sides are of two runs
     * @param summand what it adds to the mean of ratios; null: nothing
     * @param leftOut why it is left out of that; null: it counts
     * @param reason why there is no verdict; null: there is one
     * @param attempts the newest runs that were to measure it; null: none declared a test of it, or they were not looked for
     */
    public record Pair(
            @JsonUnwrapped Cell cell,
            Side baseline,
            Side candidate,
            @JsonUnwrapped Estimate estimate,
            @Nullable JudgedTest judged,
            RatioMean.@Nullable Cell summand,
            RatioSummary.@Nullable Reason leftOut,
            @Nullable String reason,
            @Nullable Attempts attempts) {

        public Pair with(@Nullable Attempts found) {
            return new Pair(cell, baseline, candidate, estimate, judged, summand, leftOut, reason, found);
        }

        /** Null: none, see reason. */
        public @Nullable Verdict verdict() {
            return judged == null || judged.outcome() == null
                    ? null
                    : judged.outcome().verdict();
        }

        /** Of either side: then nothing is compared. */
        public @Nullable Retracted retracted() {
            return baseline.retracted() == null ? candidate.retracted() : baseline.retracted();
        }

        /** For order: what has no verdict comes after all that have. */
        public double adjustedP() {
            Double p = judged == null || judged.outcome() == null
                    ? null
                    : judged.outcome().decision().adjustedP();
            return p == null || verdict() == null ? Double.POSITIVE_INFINITY : p;
        }
    }

    /**
     * @param series external id of its history
     * @param values one per trial, in trial order
     * @param retracted null: its versions stand
     */
    public record Side(
            String series,
            String run,
            String cell,
            Instant measuredAt,
            double mean,
            List<Double> values,
            Standing standing,
            @Nullable String reason,
            @Nullable Retracted retracted) {}
}
