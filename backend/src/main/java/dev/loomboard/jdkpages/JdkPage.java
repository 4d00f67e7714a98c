package dev.loomboard.jdkpages;

import dev.loomboard.catalog.Metrics;
import dev.loomboard.jdk.SourceChanges;
import dev.loomboard.jdkflags.FlagChanges;
import dev.loomboard.matching.Comparison;
import dev.loomboard.verdict.JudgedTest;
import dev.loomboard.verdict.VerdictCounts;
import dev.loomboard.verdict.VerdictText;
import dev.loomboard.view.ColumnFormat;
import dev.loomboard.view.ScenarioText;
import dev.loomboard.web.Page;
import dev.loomboard.web.PageTwin;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One build, what is known of it, what it changed, and the newest results on it.
 *
 * @param steps against the build before and the last release, as far as there are such with results
 * @param others builds with results to compare it with
 */
public record JdkPage(JdkView build, List<BuildStep> steps, List<JdkView.Result> results, List<JdkView> others)
        implements Page {

    /** Of each table of a step. */
    private static final int MOST_ROWS = 10;

    public JdkPage {
        steps = List.copyOf(steps);
    }

    public record Twin(JdkView build, List<Step> steps, List<JdkView.Result> results) implements PageTwin {}

    /**
     * @param other slug
     * @param url of the comparison
     */
    public record Step(
            BuildStep.To to,
            String other,
            boolean distribution,
            VerdictCounts tally,
            @Nullable DefaultsSplit split,
            String url,
            @Nullable SourceChanges sources,
            @Nullable FlagChanges flags) {}

    Twin twin() {
        return new Twin(
                build,
                steps.stream()
                        .map(step -> new Step(
                                step.to(),
                                step.other().slug(),
                                step.distribution(),
                                step.tally(),
                                step.split(),
                                step.url(),
                                step.sources(),
                                step.flags()))
                        .toList(),
                results);
    }

    public List<Comparison.Pair> first(List<Comparison.Pair> pairs) {
        return pairs.stream().limit(MOST_ROWS).toList();
    }

    /** Its verdict, and how sure that is; null: there is none. */
    public @Nullable VerdictText verdict(Comparison.Pair pair) {
        JudgedTest judged = pair.judged();
        return judged == null || judged.outcome() == null
                ? null
                : new VerdictText(judged.outcome(), judged.familySize());
    }

    public String metric(Comparison.Pair pair) {
        return Metrics.all().get(pair.cell().metric()).title();
    }

    public String scenario(Comparison.Pair pair) {
        return ScenarioText.of(pair.cell().scenarioKey()).words();
    }

    public ScenarioText scenario(JdkView.Result result) {
        return ScenarioText.of(result.scenarioKey());
    }

    public ColumnFormat p50() {
        return ColumnFormat.of(
                "ms", results.stream().map(result -> result.figures().p50()).toList());
    }

    public ColumnFormat p99() {
        return ColumnFormat.of(
                "ms", results.stream().map(result -> result.figures().p99()).toList());
    }

    @Override
    public String template() {
        return "jdk/jdk.jte";
    }
}
