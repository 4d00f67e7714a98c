package dev.loomboard.series;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.loomboard.catalog.Metric;
import dev.loomboard.catalog.Metrics;
import dev.loomboard.show.Chart;
import dev.loomboard.show.Chart.AxisName;
import dev.loomboard.show.Chart.Line;
import dev.loomboard.show.Jdk;
import dev.loomboard.show.Scale;
import dev.loomboard.show.Scenario;
import dev.loomboard.web.Page;
import dev.loomboard.web.Urls;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A metric's history per JDK build: one line per track, a new line where the server or the host changed. */
public record HistoryPage(@JsonUnwrapped SeriesFamily family, List<Chart> charts) implements Page {

    private static final int COLOURS = 5;
    private static final List<List<Integer>> DASHES =
            List.of(List.of(), List.of(6, 4), List.of(2, 3), List.of(8, 3, 2, 3));

    static HistoryPage of(SeriesFamily family) {
        return new HistoryPage(family, List.of(chart(family)));
    }

    public Metric metric() {
        return Metrics.all().get(family.metric());
    }

    public Scenario scenario() {
        return Scenario.of(family.scenarioKey());
    }

    public String title() {
        return scenario().title(metric());
    }

    public Scale scale() {
        return scale(family);
    }

    public int points() {
        return family.tracks().stream().mapToInt(t -> t.points().size()).sum();
    }

    public int builds() {
        return (int) family.tracks().stream()
                .flatMap(t -> t.points().stream())
                .map(SeriesFamily.Point::build)
                .distinct()
                .count();
    }

    /** Trials per point, fewest and most: "1", "3 to 10". */
    public String trials() {
        return trials(family);
    }

    public String shortVersion(SeriesFamily.Point point) {
        return shortVersion(point.runtimeVersion(), point.availability());
    }

    private static String trials(SeriesFamily family) {
        var counts = family.tracks().stream()
                .flatMap(t -> t.points().stream())
                .mapToInt(p -> p.trialValues().size())
                .summaryStatistics();
        return counts.getMin() == counts.getMax()
                ? String.valueOf(counts.getMax())
                : counts.getMin() + " to " + counts.getMax();
    }

    private static String shortVersion(String version, String availability) {
        return new Jdk("", "", version, 0, availability.equals("ea"), "", "").shortVersion();
    }

    private static Scale scale(SeriesFamily family) {
        List<@Nullable Double> means = new ArrayList<>();
        family.tracks().forEach(t -> t.points().forEach(p -> means.add(p.mean())));
        return Scale.of(Metrics.all().get(family.metric()).unit(), means);
    }

    private static Chart chart(SeriesFamily family) {
        Scale scale = scale(family);
        Map<String, Integer> places = places(family);
        List<Chart.Label> labels = new ArrayList<>();
        Map<String, String> names = new LinkedHashMap<>();
        family.tracks()
                .forEach(t -> t.points()
                        .forEach(p -> names.put(p.build(), shortVersion(p.runtimeVersion(), p.availability()))));
        places.forEach((build, place) -> labels.add(new Chart.Label(place, names.getOrDefault(build, build))));
        List<Line> lines = new ArrayList<>();
        for (int track = 0; track < family.tracks().size(); track++) {
            lines.addAll(lines(family.tracks().get(track), track, places, scale));
        }
        boolean intervals =
                family.tracks().stream().anyMatch(t -> t.points().stream().anyMatch(p -> p.low() != null));
        String caption = "Mean over the scored trials of a point (" + trials(family) + " each); "
                + (intervals ? "95 % interval where a point has two trials or more" : "one trial each: no interval")
                + ". Lines break where the server or the host changed. Several points over one build are repeats, not news.";
        return new Chart(
                "history",
                Metrics.all().get(family.metric()).title() + " per JDK build",
                caption,
                "points",
                new AxisName("JDK build, oldest first", null),
                new AxisName(Metrics.all().get(family.metric()).title(), scale.unit()),
                false,
                false,
                -0.5,
                Math.max(0.5, places.size() - 0.5),
                labels,
                lines,
                List.of());
    }

    /** Builds in their order: tracks come highest feature first, so from the last to the first. */
    private static Map<String, Integer> places(SeriesFamily family) {
        Map<String, Integer> places = new LinkedHashMap<>();
        for (SeriesFamily.Track track : family.tracks().reversed()) {
            for (SeriesFamily.Point point : track.points()) {
                places.putIfAbsent(point.build(), places.size());
            }
        }
        return places;
    }

    private static List<Line> lines(SeriesFamily.Track track, int number, Map<String, Integer> places, Scale scale) {
        Map<Integer, List<Chart.Point>> segments = new LinkedHashMap<>();
        for (SeriesFamily.Point p : track.points()) {
            segments.computeIfAbsent(p.segment(), s -> new ArrayList<>()).add(point(p, places, scale));
        }
        List<Line> lines = new ArrayList<>();
        segments.forEach((segment, points) -> lines.add(new Line(
                "JDK " + track.feature() + " " + track.vendor() + (segment == 0 ? "" : ", after change " + segment),
                number % COLOURS + 1,
                DASHES.get(segment % DASHES.size()),
                points)));
        return lines;
    }

    private static Chart.Point point(SeriesFamily.Point p, Map<String, Integer> places, Scale scale) {
        Double low = p.low();
        Double high = p.high();
        return new Chart.Point(
                places.getOrDefault(p.build(), 0),
                p.mean() * scale.factor(),
                low == null ? null : Double.valueOf(low * scale.factor()),
                high == null ? null : Double.valueOf(high * scale.factor()),
                scale.text(p.mean()),
                shortVersion(p.runtimeVersion(), p.availability()),
                p.trials().isEmpty() ? null : Urls.trial(p.trials().getFirst()));
    }

    @Override
    public String template() {
        return "series/history.jte";
    }

    @Override
    public @Nullable String fragment() {
        return "series/_points.jte";
    }
}
