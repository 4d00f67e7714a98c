package dev.loomboard.runverdicts;

import dev.loomboard.catalog.Metric;
import dev.loomboard.catalog.Metrics;
import dev.loomboard.cell.RunState;
import dev.loomboard.retracted.Retracted;
import dev.loomboard.stats.paired.Verdict;
import dev.loomboard.verdict.ComparisonDimension;
import dev.loomboard.verdict.DeclaredTest;
import dev.loomboard.verdict.Outcome;
import dev.loomboard.verdict.TestDimension;
import dev.loomboard.verdict.VerdictCounts;
import dev.loomboard.verdict.VerdictText;
import dev.loomboard.view.Format;
import dev.loomboard.view.Query;
import dev.loomboard.view.ScenarioText;
import dev.loomboard.web.Page;
import dev.loomboard.web.PageTwin;
import dev.loomboard.web.Urls;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a run decided: every test that was declared when it was created, with what came of it, or why nothing did.
 *
 * @param families one per axis, in the order in which they were declared
 */
public record RunVerdictsPage(Run run, List<Family> families) implements Page, PageTwin {

    private static final int MOST_SHOWN = 200;

    public record Run(String id, String title, RunState state, String machineName, Instant createdAt) {

        boolean over() {
            return state.isOver();
        }
    }

    /**
     * Tests that are adjusted together.
     *
     * @param tests verdicts first, by adjusted p, then by the order of the matrix
     */
    public record Family(TestDimension axis, int size, String methodology, List<Test> tests, VerdictCounts tally) {

        public String title() {
            return "Between " + ComparisonDimension.valueOf(axis.name()).words();
        }

        /** What a page draws; the twins have all. */
        public List<Test> shown() {
            return tests.stream().limit(MOST_SHOWN).toList();
        }
    }

    /**
     * @param outcome null: the run has not ended
     * @param retracted of either side: then nothing is compared
     */
    public record Test(
            TestDimension axis,
            String scenarioKey,
            String metric,
            Side baseline,
            Side candidate,
            int familySize,
            String methodology,
            @Nullable Outcome outcome,
            @Nullable Retracted retracted) {

        /** Null: none; {@link #reason} says why. */
        public @Nullable Verdict verdict() {
            return outcome == null || retracted != null ? null : outcome.verdict();
        }

        /** Null: there is a verdict. */
        public @Nullable String reason() {
            if (retracted != null) {
                return retracted.words();
            }
            return outcome == null ? "its run has not ended" : outcome.reason();
        }

        public Metric measured() {
            return Metrics.all().get(metric);
        }

        public ScenarioText scenario() {
            return ScenarioText.of(scenarioKey);
        }

        public @Nullable VerdictText said() {
            return outcome == null || retracted != null ? null : new VerdictText(outcome, familySize);
        }

        /** An effect or an end of its interval: a ratio, or a difference of shares of hits in percentage points. */
        public String sized(double effect) {
            return metric.equals(DeclaredTest.FAILED)
                    ? String.format(Locale.ROOT, "%+.2f pp", effect * 100)
                    : Format.ratio(effect);
        }

        /** What both sides are besides the scenario. */
        public String shared() {
            return Stream.of(TestDimension.values())
                    .filter(other -> other != axis)
                    .map(baseline::on)
                    .filter(words -> !words.isEmpty())
                    .collect(Collectors.joining(" · "));
        }

        public String baselineWords() {
            return words(baseline);
        }

        public String candidateWords() {
            return words(candidate);
        }

        private String words(Side side) {
            String words = side.on(axis);
            return words.isEmpty() ? "no limits" : words;
        }

        private double adjustedP() {
            Double p = outcome == null ? null : outcome.decision().adjustedP();
            return p == null || verdict() == null ? Double.POSITIVE_INFINITY : p;
        }
    }

    /**
     * @param cell external id
     * @param jdk slug
     * @param limits in words, empty: none
     */
    public record Side(
            String cell,
            String server,
            String variant,
            String jdk,
            String collector,
            List<String> jvmOptions,
            String limits) {

        private String on(TestDimension axis) {
            return switch (axis) {
                case JDK -> jdk;
                case SERVER -> (server + " " + variant + " " + String.join(" ", jvmOptions)).strip();
                case COLLECTOR -> collector;
                case LIMITS -> limits;
            };
        }
    }

    /** @param tests in the order in which they were declared */
    static RunVerdictsPage of(Run run, List<Test> tests) {
        return new RunVerdictsPage(
                run,
                Stream.of(TestDimension.values())
                        .flatMap(axis ->
                                Stream.of(new DeclaredTest.Family(axis, false), new DeclaredTest.Family(axis, true)))
                        .map(family -> tests.stream()
                                .filter(test -> DeclaredTest.Family.of(test.axis(), test.metric())
                                        .equals(family))
                                .toList())
                        .filter(family -> !family.isEmpty())
                        .map(RunVerdictsPage::family)
                        .toList());
    }

    private static Family family(List<Test> tests) {
        Test any = tests.getFirst();
        return new Family(
                any.axis(),
                any.familySize(),
                any.methodology(),
                tests.stream()
                        .sorted(Comparator.comparingDouble(Test::adjustedP))
                        .toList(),
                VerdictCounts.of(tests.stream().map(Test::verdict).toList()));
    }

    public boolean over() {
        return run.over();
    }

    public Query query() {
        return new Query(Urls.runVerdicts(run.id()), Map.of());
    }

    @Override
    public String template() {
        return "verdict/verdicts.jte";
    }
}
