package dev.loomboard.compare;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.loomboard.catalog.Metrics;
import dev.loomboard.cell.Jdk;
import dev.loomboard.matching.Attempts;
import dev.loomboard.matching.Comparison;
import dev.loomboard.retracted.Retracted;
import dev.loomboard.stats.PooledRatio;
import dev.loomboard.stats.paired.Verdict;
import dev.loomboard.verdict.JudgedTest;
import dev.loomboard.verdict.Outcome;
import dev.loomboard.web.Urls;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.annotation.JsonSerialize;

/**
 * Two builds for scripts, as {@code api/v1.yaml} promises it.
 *
 * @param url path of the page that shows the same
 * @param tests one per cell and metric that both builds have, verdicts first, by adjusted p
 */
record ComparisonAnswer(
        String url,

        @JsonSerialize(converter = Jdk.ToWireNames.class) @JsonIgnoreProperties("architecture")
        Jdk baseline,

        @JsonSerialize(converter = Jdk.ToWireNames.class) @JsonIgnoreProperties("architecture")
        Jdk candidate,

        boolean distribution,
        List<Test> tests) {

    /**
     * One cell and metric; its JSON is flat.
     *
     * @param run that measured both; null: two did, so there is no verdict
     * @param attempts runs in which the pair was to be measured, whatever came of them; null: none declared it, or they were not looked for
     * @param pooled null: fewer than two of these can be pooled
     */
    record Test(
            @JsonUnwrapped Cell cell,
            @Nullable String run,
            double baseline,
            int baselineTrials,
            double candidate,
            int candidateTrials,
            @JsonUnwrapped Comparison.Estimate estimate,
            @JsonUnwrapped Decision decision,
            @Nullable String reason,
            @Nullable Integer attempts,
            @Nullable PooledRatio pooled,
            @Nullable Retracted retracted) {}

    /** @param jdk slug of the build that both ran on; null: the builds are what is compared */
    record Cell(
            String scenario,
            String server,
            String variant,
            String collector,
            @Nullable String jdk,
            String machine,
            String metric,
            String unit) {}

    /** What the declared test came to; all null: none was declared, or its run goes on. */
    record Decision(
            @Nullable Verdict verdict,
            @Nullable Double adjustedP,
            @Nullable Integer familySize,
            @Nullable String methodology,
            @JsonUnwrapped Blocks blocks,
            @Nullable Double margin,
            @Nullable Double decidable,
            @JsonUnwrapped Outcome.Findable findable,
            @JsonUnwrapped Lost lost,
            @Nullable String disagreement) {

        static Decision of(@Nullable Verdict verdict, @Nullable JudgedTest judged) {
            Integer size = judged == null ? null : judged.familySize();
            String methodology = judged == null ? null : judged.methodology();
            Outcome outcome = judged == null ? null : judged.outcome();
            return outcome == null
                    ? new Decision(
                            verdict,
                            null,
                            size,
                            methodology,
                            Blocks.NONE,
                            null,
                            null,
                            Outcome.Findable.NONE,
                            Lost.NONE,
                            null)
                    : new Decision(
                            verdict,
                            outcome.decision().adjustedP(),
                            size,
                            methodology,
                            new Blocks(
                                    outcome.blocks(),
                                    outcome.suspectBlocks(),
                                    outcome.decision().furtherBlocks(),
                                    outcome.decision().furtherBlocksMost()),
                            outcome.decision().margin(),
                            outcome.decision().decidable(),
                            outcome.decision().findable(),
                            new Lost(
                                    outcome.excluded().baseline(),
                                    outcome.excluded().candidate(),
                                    outcome.lost().dependsOnLost()),
                            outcome.checks().disagreement());
        }
    }

    /** How many there are, and how many more would settle it. */
    record Blocks(
            @JsonProperty("blocks") @Nullable Integer all,
            @Nullable Integer suspectBlocks,
            @Nullable Integer furtherBlocks,
            @Nullable Integer furtherBlocksMost) {
        static final Blocks NONE = new Blocks(null, null, null, null);
    }

    /** Trials of each side that cannot be used. */
    record Lost(
            @Nullable Integer excludedBaseline,
            @Nullable Integer excludedCandidate,
            @Nullable Integer dependsOnLost) {
        static final Lost NONE = new Lost(null, null, null);
    }

    /** @param scenario a scenario's key or the name of a workload; null: all. What is left out changes nothing of the rest */
    static ComparisonAnswer of(Comparison comparison, @Nullable String scenario) {
        return new ComparisonAnswer(
                Urls.compare() + "?a=" + comparison.baseline().slug() + "&b="
                        + comparison.candidate().slug(),
                comparison.baseline(),
                comparison.candidate(),
                comparison.distribution(),
                tests(comparison.pairs(), scenario));
    }

    static List<Test> tests(List<Comparison.Pair> pairs, @Nullable String scenario) {
        return pairs.stream()
                .filter(p -> scenario == null
                        || scenario.equals(p.cell().scenarioKey())
                        || scenario.equals(p.cell().workload()))
                .sorted(Comparator.comparingDouble(Comparison.Pair::adjustedP))
                .map(ComparisonAnswer::test)
                .toList();
    }

    private static Test test(Comparison.Pair pair) {
        Comparison.Cell cell = pair.cell();
        String run = pair.baseline().run();
        Attempts attempts = pair.attempts();
        return new Test(
                new Cell(
                        cell.scenarioKey(),
                        cell.server().name(),
                        cell.server().variant(),
                        cell.settings().collector(),
                        cell.jdk(),
                        cell.machine().name(),
                        cell.metric(),
                        Metrics.all().get(cell.metric()).unit()),
                run.equals(pair.candidate().run()) ? run : null,
                pair.baseline().mean(),
                pair.baseline().values().size(),
                pair.candidate().mean(),
                pair.candidate().values().size(),
                pair.estimate(),
                Decision.of(pair.verdict(), pair.judged()),
                pair.reason(),
                attempts == null ? null : attempts.runs().size(),
                attempts == null ? null : attempts.pooled(),
                pair.retracted());
    }
}
