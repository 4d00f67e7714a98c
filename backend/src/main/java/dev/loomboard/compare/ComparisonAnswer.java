package dev.loomboard.compare;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import dev.loomboard.catalog.Metrics;
import dev.loomboard.cell.Jdk;
import dev.loomboard.cell.Retracted;
import dev.loomboard.stats.Verdict;
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
     * @param jdk slug of the build that both ran on; null: the builds are what is compared
     * @param run that measured both; null: two did, so there is no verdict
     */
    record Test(
            String scenario,
            String server,
            String variant,
            String collector,
            @Nullable String jdk,
            String machine,
            String metric,
            String unit,
            @Nullable String run,
            double baseline,
            int baselineTrials,
            double candidate,
            int candidateTrials,
            @Nullable Double ratio,
            @Nullable Double low,
            @Nullable Double high,
            String method,
            @Nullable Verdict verdict,
            @Nullable Double adjustedP,
            @Nullable Integer familySize,
            @Nullable String methodology,
            @Nullable Integer blocks,
            @Nullable Integer suspectBlocks,
            @Nullable Double margin,
            @Nullable Double decidable,
            @Nullable Integer furtherBlocks,
            @Nullable Integer excludedBaseline,
            @Nullable Integer excludedCandidate,
            @Nullable String disagreement,
            @Nullable String reason,
            @Nullable Retracted retracted) {}

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
                .filter(p -> scenario == null || scenario.equals(p.scenarioKey()) || scenario.equals(p.workload()))
                .sorted(Comparator.comparingDouble(Comparison.Pair::adjustedP))
                .map(ComparisonAnswer::test)
                .toList();
    }

    private static Test test(Comparison.Pair pair) {
        JudgedTest judged = pair.judged();
        Outcome outcome = judged == null ? null : judged.outcome();
        String run = pair.baseline().run();
        return new Test(
                pair.scenarioKey(),
                pair.server(),
                pair.variant(),
                pair.collector(),
                pair.jdk(),
                pair.machineName(),
                pair.metric(),
                Metrics.all().get(pair.metric()).unit(),
                run.equals(pair.candidate().run()) ? run : null,
                pair.baseline().mean(),
                pair.baseline().values().size(),
                pair.candidate().mean(),
                pair.candidate().values().size(),
                pair.ratio(),
                pair.low(),
                pair.high(),
                pair.method(),
                pair.verdict(),
                outcome == null ? null : outcome.adjustedP(),
                judged == null ? null : judged.familySize(),
                judged == null ? null : judged.methodology(),
                outcome == null ? null : outcome.blocks(),
                outcome == null ? null : outcome.suspectBlocks(),
                outcome == null ? null : outcome.margin(),
                outcome == null ? null : outcome.decidable(),
                outcome == null ? null : outcome.furtherBlocks(),
                outcome == null ? null : outcome.excludedBaseline(),
                outcome == null ? null : outcome.excludedCandidate(),
                outcome == null ? null : outcome.disagreement(),
                pair.reason(),
                pair.retracted());
    }
}
