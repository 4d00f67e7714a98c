package dev.loomboard.leaderboard;

import dev.loomboard.show.Filter;
import dev.loomboard.show.Jdk;
import dev.loomboard.show.Query;
import dev.loomboard.show.Reading;
import dev.loomboard.show.Scenario;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Turns entries into the page: order, groups by standing, filters. No arithmetic on results. */
final class Board {

    static final String P50 = "response_p50_ms";
    static final String P99 = "response_p99_ms";
    static final String THROUGHPUT = "throughput_per_s";
    static final String RSS = "rss_mib";
    static final String CPU = "cpu_us_per_request";
    static final String ERRORS = "error_ratio";
    static final String CONTENDED = "contended_per_1k_requests";

    static final String SERVICE_P50 = "service_p50_ms";
    static final String SERVICE_P99 = "service_p99_ms";

    private static final List<String> OPEN = List.of(P50, P99, THROUGHPUT, RSS, CPU, ERRORS, CONTENDED);
    private static final List<String> CLOSED =
            List.of(SERVICE_P50, SERVICE_P99, THROUGHPUT, RSS, CPU, ERRORS, CONTENDED);

    private static final List<String> STANDINGS = List.of("ranked", "provisional", "unranked");

    private Board() {}

    static LeaderboardPage page(String path, Choices choices, List<String> scenarios, String key, List<Entry> all) {
        Query query = choices.query(path);
        Scenario scenario = Scenario.of(key);
        List<Entry> shown = all.stream().filter(choices::admits).toList();
        String sort = sort(scenario, choices, shown);
        List<LeaderboardPage.Group> groups = groups(shown, sort);
        return new LeaderboardPage(
                query,
                scenarios.stream()
                        .map(other -> new LeaderboardPage.Tab(
                                Scenario.of(other),
                                new Query(path, Map.of("scenario", other)).url(),
                                other.equals(key)))
                        .toList(),
                scenario,
                filters(query, choices, all),
                sort,
                groups,
                jdks(all),
                choices.filters());
    }

    /**
     * What was asked for; else p99 if it may be judged in every row that has it, else p50. A closed load is found to
     * have a rate and has no response time: its rows are ordered by what they completed.
     */
    static String sort(Scenario scenario, Choices choices, List<Entry> shown) {
        String asked = choices.sort();
        if (asked != null && (scenario.closed() ? CLOSED : OPEN).contains(asked)) {
            return asked;
        }
        if (scenario.closed()) {
            return THROUGHPUT;
        }
        List<Reading> p99 =
                shown.stream().map(e -> e.reading(P99)).filter(r -> r != null).toList();
        return !p99.isEmpty() && p99.stream().allMatch(Reading::eligible) ? P99 : P50;
    }

    private static List<LeaderboardPage.Group> groups(List<Entry> shown, String sort) {
        Comparator<Entry> order = by(sort, sort.equals(THROUGHPUT));
        Map<String, List<Entry>> byStanding = shown.stream()
                .sorted(order.thenComparing(Entry::server).thenComparing(Entry::variant))
                .collect(Collectors.groupingBy(Entry::standing));
        List<LeaderboardPage.Group> groups = new ArrayList<>();
        for (String standing : STANDINGS) {
            List<Entry> rows = byStanding.getOrDefault(standing, List.of());
            if (!rows.isEmpty()) {
                groups.add(new LeaderboardPage.Group(standing, Reason.of(rows), rows));
            }
        }
        return groups;
    }

    /** Rows that lack the metric come last in either direction: not measured is no number. */
    private static Comparator<Entry> by(String metric, boolean highestFirst) {
        Comparator<Double> values = highestFirst ? Comparator.reverseOrder() : Comparator.naturalOrder();
        return Comparator.comparing(e -> value(e, metric), Comparator.nullsLast(values));
    }

    private static @Nullable Double value(Entry entry, String metric) {
        Reading reading = entry.reading(metric);
        return reading == null ? null : reading.mean();
    }

    private static List<Filter> filters(Query query, Choices choices, List<Entry> all) {
        return List.of(
                filter(
                        "JDK",
                        "jdk",
                        query,
                        choices.jdk(),
                        all,
                        e -> e.jdk().slug(),
                        e -> e.jdk().shortVersion() + " " + e.jdk().vendor()),
                filter("model", "model", query, choices.model(), all, Entry::concurrencyModel, Entry::concurrencyModel),
                filter("collector", "collector", query, choices.collector(), all, Entry::collector, Entry::collector),
                filter("machine", "machine", query, choices.machine(), all, Entry::machine, Entry::machineName));
    }

    private static Filter filter(
            String name,
            String parameter,
            Query query,
            @Nullable String chosen,
            List<Entry> all,
            Function<Entry, String> value,
            Function<Entry, String> words) {
        Map<String, String> values = new LinkedHashMap<>();
        all.forEach(entry -> values.putIfAbsent(value.apply(entry), words.apply(entry)));
        if (chosen != null) {
            values.putIfAbsent(chosen, chosen);
        }
        return new Filter(
                name,
                values.entrySet().stream()
                        .map(e -> new Filter.Choice(
                                e.getValue(),
                                query.with(parameter, e.getKey()),
                                e.getKey().equals(chosen)))
                        .toList(),
                query.with(parameter, null));
    }

    /** The builds of the scenario, newest first, as the store ordered them. */
    private static List<Jdk> jdks(List<Entry> all) {
        TreeSet<String> seen = new TreeSet<>();
        return all.stream().map(Entry::jdk).filter(jdk -> seen.add(jdk.slug())).toList();
    }
}
