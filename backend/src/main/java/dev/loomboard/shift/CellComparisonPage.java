package dev.loomboard.shift;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.loomboard.retracted.Retracted;
import dev.loomboard.view.Chart;
import dev.loomboard.view.Query;
import dev.loomboard.view.ScenarioText;
import dev.loomboard.web.Page;
import dev.loomboard.web.PageTwin;
import dev.loomboard.web.Urls;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Two cells of one scenario in all detail.
 *
 * @param shift null: their load has several rates, so no one distribution, or one of them is retracted
 */
public record CellComparisonPage(
        CellDetail baseline, CellDetail candidate, @Nullable ShiftFunction shift) implements Page, PageTwin {

    @JsonProperty
    public List<Chart> charts() {
        return shift == null ? List.of() : List.of(ShiftChart.of(shift, paired(), baseline.closed()));
    }

    public String title() {
        return candidateWords() + " against " + baselineWords();
    }

    /** Of either; null: both stand. */
    @JsonProperty
    public @Nullable Retracted retracted() {
        return baseline.retracted() == null ? candidate.retracted() : baseline.retracted();
    }

    /** Whether their trials took turns. */
    @JsonProperty
    public boolean paired() {
        return baseline.run().equals(candidate.run());
    }

    /** What they differ in besides the numbers. */
    @JsonProperty
    public List<Difference> setup() {
        return Stream.of(
                        new Difference("server", named(baseline), named(candidate)),
                        new Difference(
                                "JDK build",
                                baseline.jdk().slug(),
                                candidate.jdk().slug()),
                        new Difference(
                                "collector",
                                baseline.settings().collector(),
                                candidate.settings().collector()),
                        new Difference("JVM options", options(baseline), options(candidate)),
                        new Difference("limits", limits(baseline), limits(candidate)),
                        new Difference("machine", baseline.machine(), candidate.machine()))
                .filter(Difference::differs)
                .toList();
    }

    /** Flags of the JVM that differ; empty: none does, or nothing is on record of a side. */
    @JsonProperty
    public List<Difference> flags() {
        return flagsKnown()
                ? Difference.all(
                                baseline.evidence().flags(),
                                candidate.evidence().flags())
                        .stream()
                        .filter(Difference::differs)
                        .toList()
                : List.of();
    }

    /** Of a side, which so has neither flags nor diagnostic trials. */
    public boolean withoutJvm() {
        return baseline.jdk().none() || candidate.jdk().none();
    }

    public boolean flagsKnown() {
        return !baseline.evidence().flags().isEmpty()
                && !candidate.evidence().flags().isEmpty();
    }

    /** What a diagnostic trial of each counted; of one each, so it is shown and not judged. */
    @JsonProperty
    public List<Difference> counts() {
        if (baseline.evidence().diagnostic() == null || candidate.evidence().diagnostic() == null) {
            return List.of();
        }
        return Difference.ofCounts(
                baseline.evidence().counts(), candidate.evidence().counts());
    }

    public Query query() {
        return new Query(Urls.compareCells(), Map.of("a", baseline.id(), "b", candidate.id()));
    }

    public ScenarioText scenario() {
        return ScenarioText.of(baseline.scenarioKey());
    }

    /** Such as "spring-mvc virtual on 26+36". */
    public String candidateWords() {
        return words(candidate);
    }

    public String baselineWords() {
        return words(baseline);
    }

    private static String words(CellDetail cell) {
        return named(cell) + cell.jdk().on();
    }

    private static String named(CellDetail cell) {
        return cell.server().name() + " " + cell.server().variant();
    }

    private static String options(CellDetail cell) {
        return cell.settings().jvmOptions().isEmpty()
                ? "none"
                : String.join(" ", cell.settings().jvmOptions());
    }

    private static String limits(CellDetail cell) {
        return cell.limits().isEmpty() ? "none" : cell.limits();
    }

    @Override
    public String template() {
        return "compare/cells.jte";
    }
}
