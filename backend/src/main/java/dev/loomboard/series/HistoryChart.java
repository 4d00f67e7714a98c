package dev.loomboard.series;

import dev.loomboard.catalog.Metrics;
import dev.loomboard.catalog.Retracted;
import dev.loomboard.show.Chart;
import dev.loomboard.show.Chart.AxisName;
import dev.loomboard.show.Chart.Line;
import dev.loomboard.show.Chart.Mark;
import dev.loomboard.show.Figures;
import dev.loomboard.show.Scale;
import dev.loomboard.web.Urls;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The chart of a history: a line per track, a new one where the server or the host changed, and marks across. Builds are
 * one apart, and several points on one build stand side by side in the order of time.
 */
final class HistoryChart {

    private static final int COLOURS = 5;
    private static final List<List<Integer>> DASHES =
            List.of(List.of(), List.of(6, 4), List.of(2, 3), List.of(8, 3, 2, 3));
    private static final List<Integer> SUSPECTED = List.of(6, 4);
    private static final List<Integer> DROPPED = List.of(1, 4);
    private static final double BETWEEN = 0.5;
    /** Of a build's place, what its points take. */
    private static final double SPREAD = 0.7;

    private final SeriesFamily family;
    private final Scale scale;
    private final Map<String, Integer> places = new LinkedHashMap<>();
    private final Map<String, String> names = new LinkedHashMap<>();
    private final Map<String, Integer> repeats = new HashMap<>();
    private final Map<SeriesFamily.Point, Double> xs = new HashMap<>();

    /** Builds in their order: tracks come highest feature first, so from the last to the first. */
    private HistoryChart(SeriesFamily family, Scale scale) {
        this.family = family;
        this.scale = scale;
        for (SeriesFamily.Track track : family.tracks().reversed()) {
            for (SeriesFamily.Point point : track.points()) {
                places.putIfAbsent(point.build(), places.size());
                names.put(point.build(), HistoryPage.shortVersion(point));
                repeats.merge(point.build(), 1, Integer::sum);
            }
        }
        Map<String, Integer> nth = new HashMap<>();
        for (SeriesFamily.Track track : family.tracks()) {
            for (SeriesFamily.Point point : track.points()) {
                int i = nth.merge(point.build(), 1, Integer::sum) - 1;
                double off = (i + BETWEEN) / repeats(point) - BETWEEN;
                xs.put(point, places.getOrDefault(point.build(), 0) + SPREAD * off);
            }
        }
    }

    private int repeats(SeriesFamily.Point point) {
        return repeats.getOrDefault(point.build(), 1);
    }

    private double x(SeriesFamily.Point point) {
        return xs.getOrDefault(point, 0.0);
    }

    static Chart of(SeriesFamily family, Scale scale) {
        return new HistoryChart(family, scale).chart();
    }

    private Chart chart() {
        List<Chart.Label> labels = new ArrayList<>();
        places.forEach((build, place) -> labels.add(new Chart.Label(place, names.getOrDefault(build, build))));
        List<Line> lines = new ArrayList<>();
        for (int track = 0; track < family.tracks().size(); track++) {
            lines.addAll(lines(family.tracks().get(track), track));
        }
        return new Chart(
                "history",
                Metrics.all().get(family.metric()).title() + " per JDK build",
                caption(),
                "points",
                new AxisName("JDK build, oldest first", null),
                new AxisName(Metrics.all().get(family.metric()).title(), scale.unit()),
                false,
                false,
                -BETWEEN,
                Math.max(BETWEEN, places.size() - BETWEEN),
                labels,
                lines,
                List.of(),
                marks());
    }

    private String caption() {
        boolean intervals =
                family.tracks().stream().anyMatch(t -> t.points().stream().anyMatch(p -> p.low() != null));
        boolean changes = family.tracks().stream().anyMatch(t -> !t.changes().isEmpty());
        return "Mean over the scored trials of a point (" + HistoryPage.trials(family) + " each); "
                + (intervals ? "95 % interval where a point has two trials or more" : "one trial each: no interval")
                + ". Lines break where the server or the host changed. Several points over one build are repeats, not news."
                + (changes
                        ? " Upright lines are changes: solid confirmed, dashed suspected, dotted dropped or retracted."
                        : "")
                + (family.notes().isEmpty() ? "" : " Notes are numbered as below.");
    }

    private List<Mark> marks() {
        List<Mark> marks = new ArrayList<>();
        for (SeriesFamily.Track track : family.tracks()) {
            for (SeenChange change : track.changes()) {
                Integer place = places.get(change.build().slug());
                if (place != null) {
                    marks.add(mark(change, change.ofTheBuild() ? place - BETWEEN : x(track, change)));
                }
            }
        }
        for (int i = 0; i < family.notes().size(); i++) {
            marks.add(new Mark(place(family.notes().get(i)), "note " + (i + 1), "muted", List.of(3, 3)));
        }
        return marks;
    }

    /** Of its first point: where it came while the build stayed. */
    private double x(SeriesFamily.Track track, SeenChange change) {
        return track.points().stream()
                .filter(p -> p.run().equals(change.run()) && p.measuredAt().equals(change.measuredAt()))
                .findFirst()
                .map(this::x)
                .orElse(-BETWEEN);
    }

    private static Mark mark(SeenChange change, double x) {
        boolean retracted = change.retracted() != null;
        boolean confirmed = change.status().equals("confirmed") && !retracted;
        String colour = !confirmed ? "muted" : change.direction().equals("worse") ? "bad" : "good";
        return new Mark(
                x,
                (retracted ? Retracted.STANDING : change.status()) + " " + change.change(),
                colour,
                confirmed ? List.of() : retracted || change.status().equals("dropped") ? DROPPED : SUSPECTED);
    }

    /** Of the build it is about, else of what was measured last by the end of its day. */
    private double place(Note note) {
        Integer place = note.build() == null ? null : places.get(note.build());
        if (place != null) {
            return place;
        }
        Instant end = note.day().plusDays(1).atStartOfDay(ZoneOffset.UTC).toInstant();
        return family.tracks().stream()
                .flatMap(t -> t.points().stream())
                .filter(p -> p.measuredAt().isBefore(end))
                .max(Comparator.comparing(SeriesFamily.Point::measuredAt))
                .map(this::x)
                .orElse(-BETWEEN);
    }

    private List<Line> lines(SeriesFamily.Track track, int number) {
        Map<Integer, List<Chart.Point>> segments = new LinkedHashMap<>();
        Set<Integer> retracted = new HashSet<>();
        for (SeriesFamily.Point p : track.points()) {
            segments.computeIfAbsent(p.segment(), s -> new ArrayList<>()).add(point(p));
            if (p.retracted() != null) {
                retracted.add(p.segment()); // all of it: a segment is of one build of the server
            }
        }
        List<Line> lines = new ArrayList<>();
        segments.forEach((segment, points) -> lines.add(new Line(
                "JDK " + track.feature() + " " + track.vendor() + (segment == 0 ? "" : ", after change " + segment)
                        + (retracted.contains(segment) ? ", retracted" : ""),
                number % COLOURS + 1,
                retracted.contains(segment) ? DROPPED : DASHES.get(segment % DASHES.size()),
                points)));
        return lines;
    }

    private Chart.Point point(SeriesFamily.Point p) {
        Double low = p.low();
        Double high = p.high();
        String name = HistoryPage.shortVersion(p);
        return new Chart.Point(
                x(p),
                p.mean() * scale.factor(),
                low == null ? null : Double.valueOf(low * scale.factor()),
                high == null ? null : Double.valueOf(high * scale.factor()),
                scale.text(p.mean()),
                (repeats(p) == 1 ? name : name + ", " + Figures.minute(p.measuredAt()))
                        + (p.retracted() == null ? "" : ", retracted"),
                p.trials().isEmpty() ? null : Urls.trial(p.trials().getFirst()));
    }
}
