package dev.loomboard.leaderboard;

import dev.loomboard.catalog.Metric;
import dev.loomboard.catalog.Metrics;
import dev.loomboard.cell.Jdk;
import dev.loomboard.cell.Standing;
import dev.loomboard.scenario.Load;
import dev.loomboard.scenario.Scenario;
import dev.loomboard.view.Filter;
import dev.loomboard.view.MetricReading;
import dev.loomboard.view.Query;
import dev.loomboard.view.ScenarioText;
import dev.loomboard.view.Sparkline;
import dev.loomboard.web.Urls;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Turns entries into the page: filters, order, groups by standing, and the part that is shown. No arithmetic on results.
 * All entries are known in outline; those that are {@link #wanted} are then read in full.
 */
final class Board {

    /** Rows of a page. */
    static final int ROWS = 50;

    private final BoardQuery choices;
    private final List<String> scenarios;
    private final ScenarioText scenario;
    private final @Nullable String searched;
    private final List<EntrySummary> all;
    private final BuildChoice builds;
    private final List<EntrySummary> chosen;
    private final Map<List<Object>, EntrySummary> searches = new HashMap<>();
    private final List<EntrySummary> shown;
    private final @Nullable String headline;
    private final String sort;
    private final int from;
    private final List<EntrySummary> part;

    /**
     * @param outlines of the scenario, and of its search, in the order of the store
     * @param whole all rows, not a page of them
     */
    Board(BoardQuery choices, List<String> scenarios, String key, List<EntrySummary> outlines, boolean whole) {
        this.choices = choices;
        this.scenarios = scenarios;
        this.scenario = ScenarioText.of(key);
        String search = searchOf(key, scenarios);
        this.searched = search == null ? null : ScenarioText.objective(search);
        this.all = outlines.stream().filter(e -> e.scenarioKey().equals(key)).toList();
        outlines.stream()
                .filter(e -> e.scenarioKey().equals(search) && e.standing() != Standing.RETRACTED)
                .forEach(e -> searches.putIfAbsent(e.subject(), e));
        this.builds = BuildChoice.of(choices.jdk(), all);
        this.chosen = builds.rows(all);
        List<EntrySummary> admitted = chosen.stream().filter(choices::admits).toList();
        this.headline = all.stream()
                .map(EntrySummary::headline)
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
        EntrySummary.Order order = order(choices, scenario);
        String asked = order.asked();
        if (asked != null && admitted.stream().anyMatch(e -> value(e, asked) != null)) {
            this.sort = asked;
            this.shown = ordered(admitted, asked, e -> value(e, asked));
        } else {
            this.sort = headline == null ? order.usual() : headline;
            this.shown = ordered(admitted, sort, EntrySummary::usual);
        }
        int pages = Math.max(1, (shown.size() + ROWS - 1) / ROWS);
        this.from = whole || choices.pareto() ? 0 : (Math.min(choices.page(), pages) - 1) * ROWS;
        this.part = whole || choices.pareto() ? shown : shown.subList(from, Math.min(shown.size(), from + ROWS));
    }

    /** Of all scenarios the one whose search asks the same workload for its highest rate; null: none, or it is one. */
    static @Nullable String searchOf(String key, List<String> scenarios) {
        String request = request(key, false);
        return request == null
                ? null
                : scenarios.stream()
                        .filter(other -> request.equals(request(other, true)))
                        .findFirst()
                        .orElse(null);
    }

    /** What a scenario asks of the server; null: it is not that which was looked for, a search or another load. */
    private static @Nullable String request(String key, boolean search) {
        return Scenario.Parts.of(key)
                .filter(parts -> (parts.profile() == Load.Profile.SEARCH) == search)
                .map(Scenario.Parts::request)
                .orElse(null);
    }

    /** What the rows of a scenario are ordered by: what is no column is not asked for. */
    static EntrySummary.Order order(BoardQuery choices, ScenarioText scenario) {
        List<String> columns = BoardColumn.of(scenario, List.of(), null).stream()
                .map(BoardColumn::metric)
                .toList();
        String sort = choices.sort();
        return new EntrySummary.Order(
                sort != null && columns.contains(sort) ? sort : null, BoardColumn.usual(scenario));
    }

    /** Empty: the main ones are all that there are. */
    private static List<Filter.Choice> columns(BoardQuery choices, Query query, int main, int measured) {
        return main == measured
                ? List.of()
                : List.of(
                        new Filter.Choice("Main columns", query.with(BoardQuery.COLUMNS, null), !choices.allColumns()),
                        new Filter.Choice(
                                "All " + measured,
                                query.with(BoardQuery.COLUMNS, BoardQuery.ALL),
                                choices.allColumns()));
    }

    /** Of the metric that was asked for, which a search may have. */
    private @Nullable Double value(EntrySummary entry, String metric) {
        EntrySummary search =
                entry.asked() == null && metric.equals(BoardColumn.MAX_RATE) ? searches.get(entry.subject()) : null;
        return search == null ? entry.asked() : search.asked();
    }

    /**
     * By standing and board, then by value; few trials have no order and stand by name. Rows that lack it come last in either
     * direction: not measured is no number.
     */
    private static List<EntrySummary> ordered(
            List<EntrySummary> entries, String metric, Function<EntrySummary, @Nullable Double> value) {
        Comparator<Double> values = Metrics.all().get(metric).better() == Metric.Preferred.HIGHER
                ? Comparator.reverseOrder()
                : Comparator.naturalOrder();
        Comparator<EntrySummary> byValue =
                Comparator.<EntrySummary, Double>comparing(value::apply, Comparator.nullsLast(values));
        Comparator<EntrySummary> byName = Comparator.<EntrySummary, String>comparing(
                        e -> e.server().name())
                .thenComparing(e -> e.server().variant())
                .thenComparing(EntrySummary::id);
        return Stream.of(StandingGroup.values())
                .flatMap(stand -> entries.stream()
                        .filter(e -> e.standing() == stand.standing())
                        .sorted(stand == StandingGroup.FEW ? byName : byValue.thenComparing(byName))
                        .collect(Collectors.groupingBy(
                                e -> stand.comparable() ? e.board() : "", LinkedHashMap::new, Collectors.toList()))
                        .values()
                        .stream())
                .flatMap(List::stream)
                .toList();
    }

    /** Internal keys of the cells of its builds, among which its rows are ranked. */
    Set<Long> cells() {
        return chosen.stream().map(EntrySummary::cell).collect(Collectors.toSet());
    }

    /** Internal keys of the entries that the page needs in full. */
    Set<Long> wanted() {
        Set<Long> wanted = new HashSet<>();
        part.forEach(e -> {
            wanted.add(e.id());
            EntrySummary search = searches.get(e.subject());
            if (search != null) {
                wanted.add(search.id());
            }
        });
        if (choices.pareto()) {
            chosen.forEach(e -> wanted.add(e.id())); // the frontier is that of all
        }
        return wanted;
    }

    /** External ids of the histories of what its rows are ordered by. */
    Set<String> series(Map<Long, Entry> entries) {
        return choices.pareto()
                ? Set.of()
                : part.stream()
                        .flatMap(e -> Optional.ofNullable(entries.get(e.id())).stream())
                        .flatMap(e -> Optional.ofNullable(e.reading(sort)).stream())
                        .flatMap(reading -> Optional.ofNullable(reading.series()).stream())
                        .collect(Collectors.toSet());
    }

    /**
     * @param entries by internal key: what was wanted and is still there
     * @param courses by external id of their history: of those that were asked for
     */
    LeaderboardPage page(Map<Long, Entry> entries, Map<String, List<Double>> courses) {
        Query query = choices.query(scenario);
        Map<Long, EntrySummary> cells = all.stream().collect(Collectors.toMap(EntrySummary::cell, e -> e, (a, b) -> a));
        List<Entry> rows =
                part.stream().flatMap(e -> full(e, entries, cells).stream()).toList();
        List<BoardColumn> declared = BoardColumn.of(scenario, rows, searched);
        List<BoardColumn> measured = declared.stream()
                .filter(c -> c.metric().equals(sort) || c.metric().equals(headline) || c.measured(rows))
                .toList();
        List<BoardColumn> main = measured.stream()
                .filter(c -> c.metric().equals(sort) || c.metric().equals(headline) || c.isMain())
                .toList();
        List<LeaderboardPage.Group> groups = groups(rows);
        Pareto.Axes axes = Pareto.Axes.of(choices, scenario, headline);
        return new LeaderboardPage(
                new LeaderboardPage.Controls(
                        query,
                        tabs(),
                        BuildChoice.choices(choices.jdk(), query, all),
                        builds.words(),
                        Filters.of(query, choices, all),
                        columns(choices, query, main.size(), measured.size()),
                        choices.pareto() ? axes.latencies(query, scenario, rows) : List.of(),
                        choices.pareto() ? axes.costs(query, rows) : List.of(),
                        choices.filters(),
                        choices.pareto()),
                scenario,
                headline,
                sort,
                choices.allColumns() ? measured : main,
                declared.stream()
                        .filter(c -> c.missed() && !measured.contains(c))
                        .map(c -> Metrics.all().get(c.metric()).title())
                        .toList(),
                groups,
                choices.pareto() ? Pareto.of(axes, everything(entries), groups) : List.of(),
                jdks(),
                counts(),
                place(query),
                courses.entrySet().stream()
                        .filter(course -> course.getValue().size() > 1)
                        .collect(Collectors.toMap(Map.Entry::getKey, course -> new Sparkline(course.getValue()))));
    }

    private List<LeaderboardPage.Tab> tabs() {
        return scenarios.stream()
                .map(ScenarioText::of)
                .map(other -> new LeaderboardPage.Tab(other, Urls.leaderboard(other.slug()), other.equals(scenario)))
                .toList();
    }

    private Optional<Entry> full(EntrySummary outline, Map<Long, Entry> entries, Map<Long, EntrySummary> cells) {
        EntrySummary search = searches.get(outline.subject());
        Entry.Found found = search == null ? null : found(entries.get(search.id()));
        return Optional.ofNullable(entries.get(outline.id()))
                .map(e -> e.with(
                        e.rating().rank() == null
                                ? null
                                : e.rating().rank().among(outline, chosen).named(cells),
                        found));
    }

    private static Entry.@Nullable Found found(@Nullable Entry search) {
        MetricReading rate = search == null ? null : search.readings().get(BoardColumn.MAX_RATE);
        return search == null || search.rating().retracted() != null || rate == null
                ? null
                : new Entry.Found(
                        search.scenarioKey(),
                        search.source().run(),
                        search.source().trials(),
                        search.standing(),
                        rate);
    }

    private List<Entry> everything(Map<Long, Entry> entries) {
        return chosen.stream()
                .flatMap(e -> Optional.ofNullable(entries.get(e.id())).stream())
                .toList();
    }

    /** Rows that follow each other and belong together. */
    private static List<LeaderboardPage.Group> groups(List<Entry> rows) {
        List<LeaderboardPage.Group> groups = new ArrayList<>();
        for (StandingGroup stand : StandingGroup.values()) {
            Function<Entry, Object> apart = stand.comparable() ? Entry::board : entry -> "";
            rows.stream()
                    .filter(e -> e.standing() == stand.standing())
                    .collect(Collectors.groupingBy(apart, LinkedHashMap::new, Collectors.toList()))
                    .values()
                    .forEach(together -> groups.add(LeaderboardPage.Group.of(stand, together)));
        }
        return groups;
    }

    private Map<StandingGroup, Integer> counts() {
        Map<StandingGroup, Integer> counts = new EnumMap<>(StandingGroup.class);
        for (StandingGroup stand : StandingGroup.values()) {
            int rows = (int)
                    shown.stream().filter(e -> e.standing() == stand.standing()).count();
            if (rows > 0) {
                counts.put(stand, rows);
            }
        }
        return counts;
    }

    private LeaderboardPage.Part place(Query query) {
        int to = from + part.size();
        int page = from / ROWS + 1;
        return new LeaderboardPage.Part(
                from + 1,
                to,
                shown.size(),
                from == 0 ? null : query.with("page", page == 2 ? null : String.valueOf(page - 1)),
                to == shown.size() ? null : query.with("page", String.valueOf(page + 1)));
    }

    /** The builds of the scenario, newest first, as the store ordered them. */
    private List<Jdk> jdks() {
        TreeSet<String> seen = new TreeSet<>();
        return all.stream()
                .map(EntrySummary::jdk)
                .filter(jdk -> !jdk.none() && seen.add(jdk.slug()))
                .toList();
    }
}
