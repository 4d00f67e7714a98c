package dev.loomboard.compare;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.loomboard.catalog.Metrics;
import dev.loomboard.catalog.Retracted;
import dev.loomboard.show.Chart;
import dev.loomboard.show.Figures;
import dev.loomboard.show.Query;
import dev.loomboard.show.Scenario;
import dev.loomboard.web.Page;
import dev.loomboard.web.Urls;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Two cells of one scenario in all detail. @param shift null: their load has several rates, so no one distribution, or one of them is retracted */
public record CellsPage(
        OneCell baseline, OneCell candidate, @Nullable Shift shift) implements Page {

    /** One row of a table of both; null: not on record. */
    public record Difference(
            String name,
            @Nullable String baseline,
            @Nullable String candidate) {}

    @JsonProperty
    public List<Chart> charts() {
        return shift == null ? List.of() : List.of(ShiftChart.of(shift, paired(), baseline.closed()));
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
                        new Difference("collector", baseline.collector(), candidate.collector()),
                        new Difference("JVM options", options(baseline), options(candidate)),
                        new Difference("limits", limits(baseline), limits(candidate)),
                        new Difference("machine", baseline.machine(), candidate.machine()))
                .filter(d -> !Objects.equals(d.baseline(), d.candidate()))
                .toList();
    }

    /** Flags of the JVM that differ; empty: none does, or nothing is on record of a side. */
    @JsonProperty
    public List<Difference> flags() {
        return flagsKnown() ? differing(baseline.flags(), candidate.flags()) : List.of();
    }

    @JsonIgnore
    public boolean flagsKnown() {
        return !baseline.flags().isEmpty() && !candidate.flags().isEmpty();
    }

    /** What a diagnostic trial of each counted; of one each, so it is shown and not judged. */
    @JsonProperty
    public List<Difference> counts() {
        if (baseline.diagnostic() == null || candidate.diagnostic() == null) {
            return List.of();
        }
        Map<String, String> mine = new LinkedHashMap<>();
        Map<String, String> others = new LinkedHashMap<>();
        baseline.counts().forEach((name, value) -> mine.put(title(name), Figures.three(value)));
        candidate.counts().forEach((name, value) -> others.put(title(name), Figures.three(value)));
        return names(mine, others).stream()
                .map(name -> new Difference(name, mine.get(name), others.get(name)))
                .toList();
    }

    @JsonIgnore
    public Query query() {
        return new Query(Urls.compareCells(), Map.of("a", baseline.id(), "b", candidate.id()));
    }

    @JsonIgnore
    public Scenario scenario() {
        return Scenario.of(baseline.scenarioKey());
    }

    /** Such as "spring-mvc virtual on 26+36". */
    @JsonIgnore
    public String candidateWords() {
        return words(candidate);
    }

    @JsonIgnore
    public String baselineWords() {
        return words(baseline);
    }

    private static List<Difference> differing(Map<String, String> mine, Map<String, String> others) {
        return names(mine, others).stream()
                .filter(name -> !Objects.equals(mine.get(name), others.get(name)))
                .map(name -> new Difference(name, mine.get(name), others.get(name)))
                .toList();
    }

    private static TreeSet<String> names(Map<String, String> mine, Map<String, String> others) {
        TreeSet<String> names = new TreeSet<>(mine.keySet());
        names.addAll(others.keySet());
        return names;
    }

    private static String title(String metric) {
        return Metrics.all().get(metric).title();
    }

    private static String words(OneCell cell) {
        return named(cell) + " on " + cell.jdk().shortVersion();
    }

    private static String named(OneCell cell) {
        return cell.server() + " " + cell.variant();
    }

    private static String options(OneCell cell) {
        return cell.jvmOptions().isEmpty() ? "none" : String.join(" ", cell.jvmOptions());
    }

    private static String limits(OneCell cell) {
        return cell.limits().isEmpty() ? "none" : cell.limits();
    }

    @Override
    public String template() {
        return "compare/cells.jte";
    }
}
