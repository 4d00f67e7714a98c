package dev.loomboard.leaderboard;

import com.fasterxml.jackson.annotation.JsonIgnore;
import dev.loomboard.catalog.Metrics;
import dev.loomboard.show.Axis;
import dev.loomboard.show.Figures;
import dev.loomboard.show.Filter;
import dev.loomboard.show.Jdk;
import dev.loomboard.show.Query;
import dev.loomboard.show.Reading;
import dev.loomboard.show.Scale;
import dev.loomboard.show.Scenario;
import dev.loomboard.web.Page;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The leaderboard of one scenario.
 *
 * @param sort metric the rows of each group are ordered by
 * @param groups ranked, provisional, unranked: those that have rows
 * @param jdks every build of the scenario, newest first, whatever the filters
 * @param filtered whether a filter is set
 */
public record LeaderboardPage(
        @JsonIgnore Query query,
        @JsonIgnore List<Tab> tabs,
        Scenario scenario,
        @JsonIgnore List<Filter> filters,
        String sort,
        List<Group> groups,
        List<Jdk> jdks,
        @JsonIgnore boolean filtered)
        implements Page {

    public record Tab(Scenario scenario, String href, boolean current) {}

    /** @param reasons why its rows do not rank, each once */
    public record Group(String standing, List<Reason> reasons, List<Entry> rows) {}

    public LeaderboardPage {
        groups = List.copyOf(groups);
    }

    public int rows() {
        return groups.stream().mapToInt(g -> g.rows().size()).sum();
    }

    public List<Entry> entries() {
        return groups.stream().flatMap(g -> g.rows().stream()).toList();
    }

    /** One scale for a column: the same unit and decimals in all its rows. */
    public Scale scale(String metric) {
        String unit = Metrics.all().get(metric).unit();
        List<@Nullable Double> values = new ArrayList<>();
        for (Entry entry : entries()) {
            Reading reading = entry.reading(metric);
            values.add(reading == null ? null : reading.mean());
        }
        return Scale.of(unit, values);
    }

    /** Response time, or of a closed load service time. */
    public String p50() {
        return scenario.closed() ? Board.SERVICE_P50 : Board.P50;
    }

    public String p99() {
        return scenario.closed() ? Board.SERVICE_P99 : Board.P99;
    }

    /** The metric whose intervals are drawn: the one that the rows are ordered by, if it is a time; else the headline. */
    public String drawn() {
        if (sort.equals(p99()) || sort.equals(p50())) {
            return sort;
        }
        return scenario.closed() ? Board.THROUGHPUT : Board.P50;
    }

    public String drawnWords() {
        return drawn().equals(p99()) ? "p99" : drawn().equals(p50()) ? "p50" : "Done";
    }

    public Axis axis() {
        List<@Nullable Double> values = new ArrayList<>();
        entries().stream()
                .map(e -> e.reading(drawn()))
                .filter(Objects::nonNull)
                .filter(Reading::eligible)
                .forEach(r -> {
                    values.add(r.mean());
                    values.add(r.low());
                    values.add(r.high());
                });
        return Axis.over(values);
    }

    /** Why percentiles are greyed, in words, with the values each reason holds for. */
    public Map<String, String> ineligible() {
        Map<String, Integer> counts = new TreeMap<>();
        for (Entry entry : entries()) {
            for (String metric : List.of(p50(), p99())) {
                Reading reading = entry.reading(metric);
                if (reading != null && !reading.eligible()) {
                    counts.merge(reading.reason() == null ? "no reason was stored" : reading.reason(), 1, Integer::sum);
                }
            }
        }
        Map<String, String> words = new TreeMap<>();
        counts.forEach((reason, count) -> words.put(reason, Figures.of(count, "value")));
        return words;
    }

    /** "3 ranked · 5 provisional · 1 unranked". */
    public String summary() {
        return groups.stream().map(g -> g.rows().size() + " " + g.standing()).collect(Collectors.joining(" · "));
    }

    /** How the rows shown were measured: protocols and the span of trials. */
    public String protocols() {
        return entries().stream().map(Entry::protocol).distinct().sorted().collect(Collectors.joining(", "));
    }

    public int fewestTrials() {
        return entries().stream().mapToInt(Entry::trials).min().orElse(0);
    }

    public int mostTrials() {
        return entries().stream().mapToInt(Entry::trials).max().orElse(0);
    }

    @Override
    public String template() {
        return "leaderboard/leaderboard.jte";
    }

    @Override
    public @Nullable String fragment() {
        return "leaderboard/_board.jte";
    }
}
