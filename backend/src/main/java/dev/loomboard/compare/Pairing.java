package dev.loomboard.compare;

import dev.loomboard.catalog.Metric;
import dev.loomboard.catalog.Metrics;
import dev.loomboard.leaderboard.Entry;
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
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Lays the entries of two builds side by side. */
final class Pairing {

    /** Offered as tabs, the first that has pairs is shown. Excess first: a declared delay would hide everything. */
    static final List<String> METRICS = List.of(
            "response_excess_p50_ms", "response_excess_p99_ms", "response_p50_ms", "response_p99_ms", "cpu_us_per_request", "rss_mib", "startup_ms");

    private final Jdk a;
    private final Jdk b;
    private final Map<String, String> parameters;
    private final List<Entry> entries;

    Pairing(Jdk a, Jdk b, Map<String, String> parameters, List<Entry> entries) {
        this.a = a;
        this.b = b;
        this.parameters = parameters;
        this.entries = entries;
    }

    ComparePage page(String path, List<Jdk> choices) {
        Map<String, String> values = new TreeMap<>(Map.of("a", a.slug(), "b", b.slug()));
        keep(values, "scenario");
        keep(values, "metric");
        Query query = new Query(path, values);
        String wanted = metric();
        List<ComparePage.Pair> pairs = new ArrayList<>();
        List<String> lonely = new ArrayList<>();
        match(wanted, pairs, lonely);
        pairs.sort(Comparator.comparingDouble((ComparePage.Pair p) -> -Math.abs(Math.log(p.ratio().ratio()))));
        return new ComparePage(
                query, a, b, choices, Metrics.all().get(wanted), tabs(query, wanted), List.of(scenarios(query)), pairs, lonely,
                geometricMean(pairs), !a.lineageHash().equals(b.lineageHash()));
    }

    /** What was asked for; else the first metric that some cell has on both sides and may be judged. */
    private String metric() {
        String asked = parameters.get("metric");
        if (asked != null && METRICS.contains(asked)) {
            return asked;
        }
        return METRICS.stream()
                .filter(m -> cells().values().stream().anyMatch(side -> judgeable(side[0], m) && judgeable(side[1], m)))
                .findFirst()
                .orElse("response_p50_ms");
    }

    private static boolean judgeable(@Nullable Entry entry, String metric) {
        Reading reading = entry == null ? null : entry.reading(metric);
        return reading != null && reading.eligible();
    }

    private void match(String metric, List<ComparePage.Pair> pairs, List<String> lonely) {
        cells().forEach((name, sides) -> {
            Entry left = sides[0];
            Entry right = sides[1];
            Reading readingA = left == null ? null : left.reading(metric);
            Reading readingB = right == null ? null : right.reading(metric);
            Ratio ratio = left == null || right == null || readingA == null || readingB == null
                    ? null
                    : Ratio.of(readingA, left.trials(), readingB, right.trials());
            if (ratio == null || left == null || right == null || readingA == null || readingB == null) {
                lonely.add(name + ": " + why(left, right));
                return;
            }
            pairs.add(new ComparePage.Pair(
                    Scenario.of(left.scenarioKey()), left.server(), left.variant(), left.concurrencyModel(), left.machineName(),
                    readingA, left.trials(), readingB, right.trials(), ratio, left.run(), right.run(),
                    left.standing().equals(right.standing()) ? left.standing() : "unranked".equals(left.standing()) ? "unranked" : right.standing()));
        });
    }

    private String why(@Nullable Entry left, @Nullable Entry right) {
        if (left == null) {
            return "no result on " + a.shortVersion();
        }
        return right == null ? "no result on " + b.shortVersion() : "not measured on both, or zero";
    }

    /** Entries that differ in nothing but the build, under a name for people: [baseline, candidate]. */
    private Map<String, @Nullable Entry[]> cells() {
        String scenario = parameters.get("scenario");
        Map<String, @Nullable Entry[]> cells = new LinkedHashMap<>();
        for (Entry entry : entries) {
            if (scenario != null && !scenario.equals(entry.scenarioKey())) {
                continue;
            }
            String name = entry.server() + " " + entry.variant() + ", " + Scenario.of(entry.scenarioKey()).words() + ", "
                    + entry.collector() + ", " + entry.protocol() + ", " + entry.machineName() + " (" + entry.machine() + ")";
            int side = entry.jdk().slug().equals(a.slug()) ? 0 : 1;
            cells.computeIfAbsent(name, n -> new @Nullable Entry[2])[side] = entry;
        }
        return cells;
    }

    /** Not a verdict: a summary of the ratios shown, each cell counting once. */
    private static @Nullable Double geometricMean(List<ComparePage.Pair> pairs) {
        return pairs.isEmpty()
                ? null
                : StrictMath.exp(pairs.stream().mapToDouble(p -> StrictMath.log(p.ratio().ratio())).sum() / pairs.size());
    }

    private List<ComparePage.Tab> tabs(Query query, String current) {
        return METRICS.stream()
                .map(name -> Metrics.all().get(name))
                .filter(metric -> entries.stream().anyMatch(e -> e.reading(metric.name()) != null))
                .map((Metric metric) -> new ComparePage.Tab(metric, query.with("metric", metric.name()), metric.name().equals(current)))
                .toList();
    }

    private Filter scenarios(Query query) {
        String chosen = parameters.get("scenario");
        return new Filter(
                "scenario",
                entries.stream().map(Entry::scenarioKey).distinct()
                        .map(key -> new Filter.Choice(Scenario.of(key).words(), query.with("scenario", key), key.equals(chosen)))
                        .collect(Collectors.toList()),
                query.with("scenario", null));
    }

    private void keep(Map<String, String> values, String name) {
        String value = parameters.get(name);
        if (value != null) {
            values.put(name, value);
        }
    }
}
