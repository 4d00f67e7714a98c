package dev.loomboard.leaderboard;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.loomboard.cell.ServerVariant;
import dev.loomboard.view.Crumb;
import dev.loomboard.view.Filter;
import dev.loomboard.view.Format;
import dev.loomboard.view.IntervalAxis;
import dev.loomboard.view.MetricReading;
import dev.loomboard.view.Query;
import dev.loomboard.view.ScenarioText;
import dev.loomboard.web.Page;
import dev.loomboard.web.PageTwin;
import dev.loomboard.web.Urls;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What was measured of one server, under every load.
 *
 * @param variant null: all of them
 * @param variants all that there are, whichever is shown
 * @param builds of which builds there are rows; empty: there is nothing to choose
 * @param onBuilds the same in words, of one row
 * @param left rows that are not here, because there are too many
 * @param site scheme, host and port of the service
 */
public record ServerPage(
        String server,
        @Nullable String variant,
        Query query,
        List<ServerVariant> variants,
        List<Filter.Choice> builds,
        String onBuilds,
        List<Section> sections,
        int left,
        String site)
        implements Page {

    /** Rows of a page. */
    static final int MOST = 200;

    /** What programs read of it. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record Twin(String server, @Nullable String variant, List<ServerVariant> variants, List<Section.Twin> scenarios)
            implements PageTwin {}

    /**
     * One scenario.
     *
     * @param headline the metric that its board ranks by; null: none
     * @param columns those that any row has, the one that decides first
     */
    public record Section(
            ScenarioText scenario, @Nullable String headline, List<BoardColumn> columns, List<Entry> rows) {

        record Twin(ScenarioText scenario, @Nullable String headline, List<Entry> rows) {}

        static Section of(ScenarioText scenario, List<Entry> rows) {
            String headline = rows.stream()
                    .map(Entry::headline)
                    .filter(Objects::nonNull)
                    .findFirst()
                    .orElse(null);
            List<BoardColumn> columns = BoardColumn.of(scenario, rows, null).stream()
                    .filter(column -> column.metric().equals(headline) || column.isMain())
                    .filter(column -> column.measured(rows))
                    .sorted(Comparator.comparing(column -> !column.metric().equals(headline)))
                    .toList();
            return new Section(scenario, headline, columns, rows);
        }

        /** Whose intervals are drawn; null: no row has a number. */
        public @Nullable BoardColumn drawn() {
            return columns.isEmpty() ? null : columns.getFirst();
        }

        public IntervalAxis axis() {
            return IntervalAxis.over(drawnValues());
        }

        /** Means and ends of the intervals that are drawn. */
        public List<@Nullable Double> drawnValues() {
            BoardColumn drawn = drawn();
            return drawn == null
                    ? List.of()
                    : MetricReading.spans(rows.stream().map(row -> row.reading(drawn.metric())));
        }
    }

    /**
     * @param all outlines of the server, newest build first
     * @param asked of which builds; null: as the board has it
     */
    static ServerPage of(
            String server,
            @Nullable String variant,
            @Nullable String asked,
            List<EntrySummary> all,
            Map<Long, Entry> entries,
            String site) {
        Query query = new Query(
                variant == null ? Urls.server(server) : Urls.server(server, variant),
                asked == null ? Map.of() : Map.of(BuildChoice.PARAMETER, asked));
        List<EntrySummary> rows = rows(variant, asked, all);
        Map<String, List<Entry>> byScenario = new TreeMap<>();
        rows.stream()
                .limit(MOST)
                .map(row -> entries.get(row.id()))
                .filter(Objects::nonNull) // hidden since
                .map(row -> row.with(null, null)) // a rank is one among all servers
                .forEach(row -> byScenario
                        .computeIfAbsent(row.scenarioKey(), key -> new ArrayList<>())
                        .add(row));
        return new ServerPage(
                server,
                variant,
                query,
                variants(all),
                BuildChoice.choices(asked, query, all),
                BuildChoice.of(asked, all).words(),
                byScenario.entrySet().stream()
                        .map(scenario -> Section.of(ScenarioText.of(scenario.getKey()), scenario.getValue()))
                        .toList(),
                Math.max(0, rows.size() - MOST),
                site);
    }

    /** Internal keys of the entries that are shown. */
    static Set<Long> wanted(@Nullable String variant, @Nullable String asked, List<EntrySummary> all) {
        return rows(variant, asked, all).stream()
                .limit(MOST)
                .map(EntrySummary::id)
                .collect(Collectors.toSet());
    }

    private static List<EntrySummary> rows(@Nullable String variant, @Nullable String asked, List<EntrySummary> all) {
        return BuildChoice.of(asked, all).rows(all).stream()
                .filter(row -> variant == null || variant.equals(row.server().variant()))
                .sorted(Comparator.comparing(EntrySummary::scenarioKey)
                        .thenComparing(row -> row.server().variant())) // stable: newest build first
                .toList();
    }

    private static List<ServerVariant> variants(List<EntrySummary> all) {
        Map<String, ServerVariant> variants = new TreeMap<>();
        all.forEach(row -> variants.putIfAbsent(row.server().variant(), row.server()));
        return List.copyOf(variants.values());
    }

    Twin twin() {
        return new Twin(
                server,
                variant,
                variants,
                sections.stream()
                        .map(section -> new Section.Twin(section.scenario(), section.headline(), section.rows()))
                        .toList());
    }

    /** Such as "spring-mvc virtual". */
    public String title() {
        return variant == null ? server : server + " " + variant;
    }

    public List<Crumb> crumbs() {
        return variant == null
                ? List.of(new Crumb("Servers", Urls.servers()), new Crumb(server, null))
                : List.of(
                        new Crumb("Servers", Urls.servers()),
                        new Crumb(server, Urls.server(server)),
                        new Crumb(variant, null));
    }

    /** All variants, and each. */
    public List<Filter.Choice> choices() {
        return Stream.concat(
                        Stream.of(new Filter.Choice("all variants", with(Urls.server(server)), variant == null)),
                        variants.stream()
                                .map(one -> new Filter.Choice(
                                        one.variant(),
                                        with(Urls.server(server, one.variant())),
                                        one.variant().equals(variant))))
                .toList();
    }

    /** Path of the picture that other sites may show; null: of several variants, or of what not everybody sees, there is none. */
    public @Nullable String badge(Section section) {
        return variant == null || section.rows().stream().allMatch(Entry::hidden)
                ? null
                : Urls.badge(section.scenario().slug(), server, variant);
    }

    private String with(String path) {
        return new Query(path, query.values()).url();
    }

    /** "3 variants under 5 loads". */
    public String counted() {
        return (variant == null ? Format.of(variants.size(), "variant") + " under " : "")
                + Format.of(sections.size(), "load");
    }

    @Override
    public String template() {
        return "leaderboard/server.jte";
    }
}
