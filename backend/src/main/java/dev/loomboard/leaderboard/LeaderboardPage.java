package dev.loomboard.leaderboard;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.loomboard.catalog.Metrics;
import dev.loomboard.cell.Jdk;
import dev.loomboard.cell.Standing;
import dev.loomboard.stats.Ranks;
import dev.loomboard.stats.RunSpread;
import dev.loomboard.view.Filter;
import dev.loomboard.view.Format;
import dev.loomboard.view.IntervalAxis;
import dev.loomboard.view.MetricReading;
import dev.loomboard.view.Query;
import dev.loomboard.view.ScenarioText;
import dev.loomboard.view.Sparkline;
import dev.loomboard.web.Page;
import java.util.ArrayList;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The leaderboard of one scenario.
 *
 * @param headline the metric it ranks by; null: its load declares none
 * @param sort metric the rows of each group are ordered by
 * @param columns those that any row has, the main ones unless all are asked for
 * @param unmeasured titles of the others
 * @param groups ranked, provisional, few, unranked, retracted: those that have rows, each board apart
 * @param pareto latency against memory, a chart per group; empty: the table is shown
 * @param jdks every build of the scenario, newest first, whatever the filters
 * @param counts of all rows that pass the filters, by standing
 * @param part which of them are here
 * @param courses of what the rows are ordered by, by external id of the history
 */
public record LeaderboardPage(
        Controls controls,
        ScenarioText scenario,
        @Nullable String headline,
        String sort,
        List<BoardColumn> columns,
        List<String> unmeasured,
        List<Group> groups,
        List<Pareto> pareto,
        List<Jdk> jdks,
        Map<StandingGroup, Integer> counts,
        Part part,
        Map<String, Sparkline> courses)
        implements Page {

    /**
     * What programs read of it.
     *
     * @param page path of the page for people
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record Twin(
            String page,
            ScenarioText scenario,
            @Nullable String headline,
            String sort,
            List<Group> groups,
            List<Jdk> jdks) {}

    Twin twin() {
        return new Twin(controls.query().path(), scenario, headline, sort, groups, jdks);
    }

    /**
     * What a reader can choose.
     *
     * @param builds of which builds there are rows; empty: there is nothing to choose
     * @param onBuilds the same in words, of one row
     * @param columns of the table; empty: there is nothing to choose
     * @param latencies of the chart's upright axis; empty: there is nothing to choose, or no chart
     * @param costs the same of the other
     * @param filtered whether a filter is set
     * @param charted whether latency against memory is drawn
     */
    public record Controls(
            Query query,
            List<Tab> tabs,
            List<Filter.Choice> builds,
            String onBuilds,
            List<Filter> filters,
            List<Filter.Choice> columns,
            List<Filter.Choice> latencies,
            List<Filter.Choice> costs,
            boolean filtered,
            boolean charted) {

        /** The same scenario without filters. */
        public String unfiltered() {
            return tabs.stream().filter(Tab::current).findFirst().map(Tab::href).orElse(query.path());
        }
    }

    /**
     * @param from place of the first row, from 1
     * @param ahead where the rows before it are, null: there are none
     * @param behind where the rows before it are, null: there are none
     */
    public record Part(
            int from,
            int to,
            int of,
            @Nullable String ahead,
            @Nullable String behind) {

        public boolean whole() {
            return ahead == null && behind == null;
        }
    }

    public record Tab(ScenarioText scenario, String href, boolean current) {}

    /**
     * Rows that stand alike, of one board unless they are unranked.
     *
     * @param words on which class, by which protocol, for whose eyes
     * @param reasons why its rows do not rank, each once
     */
    public record Group(Standing standing, String words, List<Reason> reasons, List<Entry> rows) {

        static Group of(StandingGroup stand, List<Entry> rows) {
            return new Group(stand.standing(), words(stand, rows.getFirst()), Reason.of(rows), rows);
        }

        StandingGroup stand() {
            return StandingGroup.of(standing);
        }

        private static String words(StandingGroup stand, Entry any) {
            return switch (stand) {
                case RANKED, PROVISIONAL, FEW -> board(any);
                case UNVERIFIED -> "measured on machines that no administrator admitted, never compared";
                case UNRANKED -> "failed or invalid, never compared";
                case RETRACTED -> "found wrong after measuring, never compared";
            };
        }

        private static String board(Entry any) {
            String where = "on " + any.place().machineClass() + ", protocol "
                    + any.settings().protocol();
            return any.hidden() ? "visible to members of " + any.place().workspace() + " only, " + where : where;
        }

        /** How much results were taken to differ from run to run; null: none of its rows has a place that knows of it. */
        public @Nullable String spread() {
            List<Entry> ranked = rows.stream().filter(e -> spread(e) != null).toList();
            if (ranked.isEmpty()) {
                return null;
            }
            Map<Boolean, List<Entry>> ways = ranked.stream()
                    .collect(Collectors.groupingBy(
                            e -> Objects.requireNonNull(spread(e)).assumed()));
            List<String> words = new ArrayList<>();
            List<Entry> known = ways.getOrDefault(false, List.of());
            if (!known.isEmpty()) {
                words.add("at most " + range(known) + ", estimated from runs of the same server build");
            }
            if (ways.containsKey(true)) {
                words.add(Format.percent(RunSpread.FLOOR) + " assumed" + (known.isEmpty() ? "" : " on other machines")
                        + ", because there are fewer than " + RunSpread.LEAST_RUNS + " runs of the same server build");
            }
            long machines = ranked.stream()
                    .map(e -> e.place().machine().id())
                    .distinct()
                    .count();
            return "Spread from run to run: " + String.join("; ", words)
                    + (machines > 1
                            ? ". From machine to machine: " + Format.percent(Ranks.MACHINE_SPREAD) + " assumed"
                            : "");
        }

        private static String range(List<Entry> known) {
            DoubleSummaryStatistics all = known.stream()
                    .mapToDouble(e -> Objects.requireNonNull(spread(e)).spread())
                    .summaryStatistics();
            return all.getMin() == all.getMax()
                    ? Format.percent(all.getMax())
                    : Format.percent(all.getMin()) + " to " + Format.percent(all.getMax());
        }

        private static @Nullable RunSpread spread(Entry entry) {
            Rank rank = entry.rating().rank();
            return rank == null ? null : rank.runSpread();
        }

        /** What its places are worth. */
        public String meaning() {
            return switch (stand()) {
                case RANKED -> "";
                case PROVISIONAL ->
                    rows.stream().anyMatch(e -> e.rating().rank() != null)
                            ? "A number in parentheses orders these rows among themselves; it is not a rank."
                            : "";
                case FEW ->
                    "Not enough trials to rank: at least " + Ranks.TRIALS_TO_APPEAR
                            + " are needed. Rows are sorted by name. A row with one trial shows two digits.";
                case UNVERIFIED, UNRANKED, RETRACTED -> "";
            };
        }
    }

    public LeaderboardPage {
        groups = List.copyOf(groups);
    }

    public int rows() {
        return groups.stream().mapToInt(g -> g.rows().size()).sum();
    }

    public List<Entry> entries() {
        return groups.stream().flatMap(g -> g.rows().stream()).toList();
    }

    /** The column whose intervals are drawn: that by which the rows are ordered. */
    public BoardColumn drawn() {
        return columns.stream().filter(c -> c.metric().equals(sort)).findFirst().orElseGet(columns::getFirst);
    }

    /** How a row's value came to be what it is; null: it has no history yet. */
    public @Nullable Sparkline course(Entry entry) {
        MetricReading reading = entry.reading(drawn().metric());
        return reading == null || reading.series() == null ? null : courses.get(reading.series());
    }

    /** "Response time p99"; null: nothing is ranked. */
    public @Nullable String rankedBy() {
        return headline == null ? null : scenario.title(Metrics.all().get(headline));
    }

    /** Address of a chart's picture. */
    public String picture(Pareto drawn) {
        Query query = controls.query();
        return new Query(query.path() + ".svg", query.values())
                .with("chart", drawn.chart().id());
    }

    public String title() {
        return "Leaderboard: " + scenario.words();
    }

    /** What stands above a group's rows. */
    public String title(Group group) {
        return switch (group.stand()) {
                    case RANKED -> "Ranked by " + rankedBy() + ", ";
                    case PROVISIONAL -> "Provisional, not ranked: ";
                    case FEW -> "Not enough trials, not ranked: ";
                    case UNVERIFIED -> "Not verified: ";
                    case UNRANKED -> "Unranked: ";
                    case RETRACTED -> "Retracted: ";
                }
                + group.words();
    }

    /** Whether any row has a place, a provisional one among them. */
    public boolean placed() {
        return entries().stream().anyMatch(e -> e.rating().rank() != null);
    }

    public IntervalAxis axis() {
        return IntervalAxis.over(drawnValues());
    }

    /** Means and ends of the intervals that are drawn; empty: the axis has no ends to write. */
    public List<@Nullable Double> drawnValues() {
        return MetricReading.spans(entries().stream().map(e -> e.reading(drawn().metric())));
    }

    /** Why percentiles are greyed, in words, with the values each reason holds for. */
    public Map<String, String> ineligible() {
        Map<String, Integer> counts = new TreeMap<>();
        for (Entry entry : entries()) {
            for (BoardColumn column : columns) {
                MetricReading reading = entry.reading(column.metric());
                if (Metrics.all().get(column.metric()).percentile() && reading != null && !reading.eligible()) {
                    counts.merge(reading.reason() == null ? "no reason is stored" : reading.reason(), 1, Integer::sum);
                }
            }
        }
        Map<String, String> words = new TreeMap<>();
        counts.forEach((reason, count) -> words.put(reason, Format.of(count, "value")));
        return words;
    }

    /** "3 ranked · 5 provisional · 1 unranked". */
    public String summary() {
        return counts.entrySet().stream()
                .map(e -> e.getValue() + " " + e.getKey().inWords())
                .collect(Collectors.joining(" · "));
    }

    /** How the rows shown were measured: protocols and the span of trials. */
    public String protocols() {
        return entries().stream()
                .map(e -> e.settings().protocol())
                .distinct()
                .sorted()
                .collect(Collectors.joining(", "));
    }

    public int fewestTrials() {
        return entries().stream().mapToInt(e -> e.source().trials()).min().orElse(0);
    }

    public int mostTrials() {
        return entries().stream().mapToInt(e -> e.source().trials()).max().orElse(0);
    }

    @Override
    public String template() {
        return "leaderboard/leaderboard.jte";
    }
}
