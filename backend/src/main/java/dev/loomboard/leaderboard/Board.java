package dev.loomboard.leaderboard;

import dev.loomboard.catalog.Metrics;
import dev.loomboard.show.Jdk;
import dev.loomboard.show.Query;
import dev.loomboard.show.Reading;
import dev.loomboard.show.Scenario;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Turns entries into the page: order, groups by standing, filters. No arithmetic on results. */
final class Board {

    private static final String SEARCH = "search:";

    private final Choices choices;
    private final Scenario scenario;
    private final List<Entry> all;
    private final @Nullable String searched;

    /** @param entries of the scenario, and of its search */
    private Board(Choices choices, String key, @Nullable String search, List<Entry> entries) {
        this.choices = choices;
        this.scenario = Scenario.of(key);
        this.searched = search == null ? null : Scenario.of(search).objective();
        List<Entry> own =
                entries.stream().filter(e -> e.scenarioKey().equals(key)).toList();
        Map<List<Object>, Entry> searches = new HashMap<>();
        entries.stream().filter(e -> e.scenarioKey().equals(search)).forEach(e -> searches.putIfAbsent(e.subject(), e));
        Map<String, String> names = own.stream().collect(Collectors.toMap(Entry::cell, Entry::name, (a, b) -> a));
        this.all = own.stream()
                .map(e -> e.with(e.rank() == null ? null : e.rank().named(names), found(searches.get(e.subject()))))
                .toList();
    }

    /** Of all scenarios the one whose search asks the same workload for its highest rate; null: none, or it is one. */
    static @Nullable String searchOf(String key, List<String> scenarios) {
        int load = key.lastIndexOf(';') + 1;
        return key.startsWith(SEARCH, load)
                ? null
                : scenarios.stream()
                        .filter(other -> other.startsWith(key.substring(0, load) + SEARCH))
                        .findFirst()
                        .orElse(null);
    }

    /** @param entries of the scenario, and of its search */
    static LeaderboardPage page(String path, Choices choices, List<String> scenarios, String key, List<Entry> entries) {
        return new Board(choices, key, searchOf(key, scenarios), entries).page(path, scenarios);
    }

    private LeaderboardPage page(String path, List<String> scenarios) {
        Query query = choices.query(path, scenario.key());
        List<Entry> shown = all.stream().filter(choices::admits).toList();
        String headline = all.stream()
                .map(Entry::headline)
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
        List<Column> declared = Column.of(scenario, shown, searched);
        List<Column> columns = declared.stream()
                .filter(c -> c.metric().equals(headline) || c.measured(shown))
                .toList();
        Column sort = sort(columns, headline);
        List<LeaderboardPage.Group> groups = groups(shown, sort);
        return new LeaderboardPage(
                query,
                scenarios.stream()
                        .map(other -> new LeaderboardPage.Tab(
                                Scenario.of(other),
                                new Query(path, Map.of("scenario", other)).url(),
                                other.equals(scenario.key())))
                        .toList(),
                scenario,
                headline,
                Filters.of(query, choices, all),
                sort.metric(),
                columns,
                declared.stream()
                        .filter(c -> !columns.contains(c))
                        .map(c -> Metrics.all().get(c.metric()).title())
                        .toList(),
                groups,
                choices.pareto() ? Pareto.of(scenario, headline, all, groups) : List.of(),
                jdks(),
                choices.filters(),
                choices.pareto());
    }

    private static Entry.@Nullable Found found(@Nullable Entry search) {
        Reading rate = search == null ? null : search.readings().get(Column.MAX_RATE);
        return search == null || search.retracted() != null || rate == null
                ? null
                : new Entry.Found(search.scenarioKey(), search.run(), search.trials(), search.standing(), rate);
    }

    /** What was asked for, else what the scenario ranks by, else the median. */
    private Column sort(List<Column> columns, @Nullable String headline) {
        return column(columns, choices.sort())
                .or(() -> column(columns, headline))
                .or(() -> columns.stream().findFirst())
                .orElseGet(() -> Column.of(scenario, List.of(), null).getFirst());
    }

    private static Optional<Column> column(List<Column> columns, @Nullable String metric) {
        return columns.stream().filter(c -> c.metric().equals(metric)).findFirst();
    }

    private static List<LeaderboardPage.Group> groups(List<Entry> shown, Column sort) {
        List<Entry> sorted = shown.stream()
                .sorted(by(sort).thenComparing(Entry::server).thenComparing(Entry::variant))
                .toList();
        List<LeaderboardPage.Group> groups = new ArrayList<>();
        for (Stand stand : Stand.values()) {
            Function<Entry, Object> apart = stand.comparable() ? Entry::board : entry -> "";
            sorted.stream()
                    .filter(e -> e.standing().equals(stand.word()))
                    .collect(Collectors.groupingBy(apart, LinkedHashMap::new, Collectors.toList()))
                    .values()
                    .forEach(rows -> groups.add(LeaderboardPage.Group.of(stand, rows)));
        }
        return groups;
    }

    /** Rows that lack the metric come last in either direction: not measured is no number. */
    private static Comparator<Entry> by(Column column) {
        Comparator<Double> values = column.highestFirst() ? Comparator.reverseOrder() : Comparator.naturalOrder();
        return Comparator.comparing(
                e -> {
                    Reading reading = e.reading(column.metric());
                    return reading == null ? null : reading.mean();
                },
                Comparator.nullsLast(values));
    }

    /** The builds of the scenario, newest first, as the store ordered them. */
    private List<Jdk> jdks() {
        TreeSet<String> seen = new TreeSet<>();
        return all.stream().map(Entry::jdk).filter(jdk -> seen.add(jdk.slug())).toList();
    }
}
