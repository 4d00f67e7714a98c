package dev.loomboard.grid;

import dev.loomboard.catalog.Metric;
import dev.loomboard.catalog.Metrics;
import dev.loomboard.matching.MultiComparison;
import dev.loomboard.verdict.MetricTab;
import dev.loomboard.view.ColumnFormat;
import dev.loomboard.view.IntervalAxis;
import dev.loomboard.view.Query;
import dev.loomboard.view.ScenarioText;
import dev.loomboard.web.Page;
import dev.loomboard.web.PageTwin;
import dev.loomboard.web.Urls;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Point estimates of one scenario, metric and machine.
 *
 * @param place null: nothing was measured
 * @param scenarios that can be chosen
 * @param machines the same, each with a protocol
 */
public record GridPage(
        Query query,
        @Nullable String scenario,
        Grid.@Nullable Place place,
        Metric metric,
        Grid grid,
        List<MetricTab> tabs,
        List<MultiComparison.Named> scenarios,
        List<MultiComparison.Named> machines)
        implements Page {

    /** @param place null: nothing was measured */
    public record Twin(@Nullable String scenario, Grid.@Nullable Place place, Metric metric, Grid grid)
            implements PageTwin {}

    Twin twin() {
        return new Twin(scenario, place, metric, grid);
    }

    /** @param points of the scenario, of all metrics and machines */
    static GridPage of(
            @Nullable String scenario,
            List<String> scenarios,
            List<Grid.Point> points,
            Map<String, String> parameters) {
        List<Grid.Place> places = points.stream()
                .map(Grid.Point::place)
                .distinct()
                .sorted(Comparator.comparing(Grid.Place::words))
                .toList();
        String wanted = parameters.get("machine");
        Grid.Place place = places.stream()
                .filter(p -> p.key().equals(wanted))
                .findFirst()
                .or(() -> Optional.ofNullable(places.isEmpty() ? null : places.getFirst()))
                .orElse(null);
        List<Grid.Point> there =
                points.stream().filter(point -> point.place().equals(place)).toList();
        Set<String> metrics = there.stream().map(Grid.Point::metric).collect(Collectors.toSet());
        String asked = parameters.get("metric");
        String metric = MetricTab.chosen(metrics, metrics.contains(asked) ? asked : null);
        Map<String, String> own = scenario == null ? Map.of() : Map.of("scenario", scenario);
        Query query = Query.of(Urls.compareGrid(), own, parameters, "machine", "metric");
        return new GridPage(
                query,
                scenario,
                place,
                Metrics.all().get(metric),
                Grid.of(there.stream()
                        .filter(point -> point.metric().equals(metric))
                        .toList()),
                MetricTab.of(metrics, query, metric),
                scenarios.stream()
                        .map(key -> new MultiComparison.Named(
                                key, ScenarioText.of(key).words()))
                        .toList(),
                places.stream()
                        .map(p -> new MultiComparison.Named(p.key(), p.words()))
                        .toList());
    }

    public String scenarioWords() {
        return scenario == null ? "" : ScenarioText.of(scenario).words();
    }

    /** By which its square is coloured; empty: by none. */
    public String verdict(Grid.@Nullable Value value) {
        return value == null || value.retracted() != null || value.judged() == null
                ? ""
                : value.judged().verdict().word();
    }

    public ColumnFormat scale() {
        return ColumnFormat.of(metric.unit(), values());
    }

    /** One for the whole grid: its cells are to be compared. */
    public IntervalAxis axis() {
        return IntervalAxis.over(values());
    }

    private List<@Nullable Double> values() {
        List<@Nullable Double> values = new ArrayList<>();
        for (Grid.Row row : grid.rows()) {
            for (Grid.Value value : row.values()) {
                if (value != null && value.retracted() == null) {
                    values.add(value.mean());
                    values.add(value.low());
                    values.add(value.high());
                }
            }
        }
        return values;
    }

    @Override
    public String template() {
        return "compare/grid.jte";
    }
}
