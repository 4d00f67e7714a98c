package dev.loomboard.history;

import dev.loomboard.catalog.Metrics;
import dev.loomboard.cell.Jdk;
import dev.loomboard.retracted.Retracted;
import dev.loomboard.view.Chart;
import dev.loomboard.view.Chart.AxisName;
import dev.loomboard.view.Chart.Line;
import dev.loomboard.view.Chart.Mark;
import dev.loomboard.view.ColumnFormat;
import dev.loomboard.view.Format;
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
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The chart of a history: a line per track, broken where the server or the host changed, and marks across. Builds are
 * one apart, and several points on one build stand side by side in the order of time.
 */
final class HistoryChart {

    private static final int COLOURS = 5;
    private static final List<Integer> SUSPECTED = List.of(6, 4);
    private static final List<Integer> CLEARED = List.of(1, 4);
    private static final double BETWEEN = 0.5;
    /** Of a build's place, what its points take. */
    private static final double SPREAD = 0.7;

    /** Of a line: on a wide screen its marks then touch. */
    private static final int MOST_DRAWN = 240;

    private final SeriesFamily family;
    private final ColumnFormat scale;
    private final Map<String, Integer> places = new LinkedHashMap<>();
    private final Map<String, String> names = new LinkedHashMap<>();
    private final Map<String, Integer> repeats = new HashMap<>();
    private final Map<Long, Double> xs = new HashMap<>();
    private final HistoryRange range;
    private final boolean framed;
    private int drawn;

    /** Builds in their order: tracks come highest feature first, so from the last to the first. */
    private HistoryChart(SeriesFamily family, ColumnFormat scale, HistoryRange range, boolean framed) {
        this.family = family;
        this.scale = scale;
        this.range = range;
        this.framed = framed;
        for (SeriesFamily.Track track : family.tracks().reversed()) {
            for (TrackPoints.BuildPoints on : track.trackPoints().builds()) {
                places.putIfAbsent(on.build(), places.size());
                names.put(on.build(), on.shortVersion());
                repeats.merge(on.build(), on.points().size(), Integer::sum);
            }
        }
        Map<String, Integer> nth = new HashMap<>();
        for (SeriesFamily.Track track : family.tracks()) {
            for (TrackPoints.BuildPoints on : track.trackPoints().builds()) {
                for (TrackPoints.PointSummary spot : on.points()) {
                    int i = nth.merge(on.build(), 1, Integer::sum) - 1;
                    double off = (i + BETWEEN) / repeats.getOrDefault(on.build(), 1) - BETWEEN;
                    xs.put(spot.id(), places.getOrDefault(on.build(), 0) + SPREAD * off);
                }
            }
        }
    }

    private double x(long point) {
        return xs.getOrDefault(point, -BETWEEN);
    }

    static Chart of(SeriesFamily family, ColumnFormat scale, HistoryRange range) {
        return new HistoryChart(family, scale, range, false).chart();
    }

    /** What stands around it in the page: title, caption and legend. Of each line there is one point. */
    static Chart frame(SeriesFamily family, ColumnFormat scale, HistoryRange range) {
        return new HistoryChart(family, scale, range, true).chart();
    }

    private Chart chart() {
        List<Chart.Label> labels = new ArrayList<>();
        places.forEach((build, place) -> labels.add(new Chart.Label(place, names.getOrDefault(build, build), build)));
        List<Line> lines = new ArrayList<>();
        for (int track = 0; track < family.tracks().size(); track++) {
            lines.addAll(lines(family.tracks().get(track), track));
        }
        double end = Math.max(BETWEEN, places.size() - BETWEEN);
        HistoryLanes lanes = new HistoryLanes(family, this::x, -BETWEEN, end);
        return new Chart(
                "history",
                Metrics.all().get(family.metric()).title() + " per JDK build",
                caption(),
                Chart.Kind.POINTS,
                new AxisName("JDK build, oldest first", null),
                new AxisName(Metrics.all().get(family.metric()).title(), scale.unit()),
                new Chart.Extent(false, false, -BETWEEN, end),
                labels,
                lines,
                new Chart.Overlay(lanes.segments(), marks(), lanes.lanes(kernels()), reaches()));
    }

    static String name(SeriesFamily.Track track) {
        return (Jdk.release(track.feature()) + " " + track.vendor()).strip();
    }

    private Map<String, String> kernels() {
        Map<String, String> kernels = new HashMap<>();
        for (HostState host : family.hosts()) {
            if (host.kernel() != null) {
                kernels.put(host.fingerprint(), host.kernel());
            }
        }
        return kernels;
    }

    /** Around the newest level of each track, what neither a rerun nor its history would find, where it is known. */
    private List<Chart.Reach> reaches() {
        List<Chart.Reach> reaches = new ArrayList<>();
        for (int number = 0; number < family.tracks().size(); number++) {
            SeriesFamily.Track track = family.tracks().get(number);
            List<Double> shown =
                    track.trackPoints().points().map(p -> x(p.id())).toList();
            SeriesFamily.Reach reach = track.reach();
            if (reach != null && !shown.isEmpty()) {
                double from =
                        before(track.trackPoints().has(reach.first()) ? x(reach.first()) : shown.getFirst(), shown);
                reaches.add(new Chart.Reach(
                        from,
                        Math.rint(shown.getLast()) + BETWEEN,
                        scale.factor() * reach.low(),
                        scale.factor() * reach.high(),
                        colour(number)));
            }
        }
        return reaches;
    }

    /** Half-way from the point before; of the first the beginning of its build's place. */
    private static double before(double x, List<Double> shown) {
        int at = shown.indexOf(x);
        return at > 0 ? (shown.get(at - 1) + x) / 2 : Math.rint(x) - BETWEEN;
    }

    private static int colour(int number) {
        return number % COLOURS + 1;
    }

    private String caption() {
        boolean intervals =
                family.tracks().stream().flatMap(t -> t.trackPoints().points()).anyMatch(p -> p.low() != null);
        boolean changes = family.tracks().stream().anyMatch(t -> !t.changes().isEmpty());
        return "Mean of the scored trials of a point (" + HistoryPage.trials(family) + " each); "
                + (intervals ? "95 % interval for points of two or more trials" : "one trial each: no interval")
                + ". Where the server or the host changed the line breaks. Several points on one build are repeated runs."
                + (family.tracks().stream().anyMatch(track -> track.reach() != null)
                        ? " Shaded in colour: changes of the newest level that are too small to find."
                        : "")
                + (changes
                        ? " Vertical lines are changes: solid confirmed, dashed suspected, dotted cleared or retracted."
                        : "")
                + (family.notes().isEmpty() ? "" : " Notes are numbered as below.")
                + (range.newest() == HistoryRange.Newest.ALL
                        ? ""
                        : " Of each track the newest " + range.newest().most() + " points.")
                + (range.ofBuilds() ? " Only the builds that were chosen." : "")
                + thinned();
    }

    private String thinned() {
        long points = family.tracks().stream()
                .flatMap(track -> track.trackPoints().points())
                .count();
        return drawn == points
                ? ""
                : " " + Format.count(drawn) + " of " + Format.count(points)
                        + " points are drawn: the lowest and highest of their neighbours, and each point that starts a segment or change.";
    }

    private List<Mark> marks() {
        List<Mark> marks = new ArrayList<>();
        for (SeriesFamily.Track track : family.tracks()) {
            for (ChangeView change : track.changes()) {
                Integer place = places.get(change.build().slug());
                if (place != null) {
                    marks.add(mark(
                            change,
                            change.cause().ofTheBuild()
                                    ? place - BETWEEN
                                    : x(change.keys().point())));
                }
            }
        }
        for (int i = 0; i < family.notes().size(); i++) {
            double x = place(family.notes().get(i));
            if (range.all() || x >= -BETWEEN) {
                marks.add(new Mark(Math.max(x, -BETWEEN), "note " + (i + 1), "muted", List.of(3, 3)));
            }
        }
        return marks;
    }

    private static Mark mark(ChangeView change, double x) {
        boolean retracted = change.retracted() != null;
        boolean confirmed = change.decision().confirmed() && !retracted;
        String colour = !confirmed ? "muted" : change.decision().worse() ? "bad" : "good";
        return new Mark(
                x,
                (retracted ? Retracted.STANDING : change.decision().status().wire()) + " " + change.change(),
                colour,
                confirmed ? List.of() : retracted || change.decision().cleared() ? CLEARED : SUSPECTED);
    }

    /** Of the build it is about, else of what was measured last by the end of its day; before all points if nothing was. */
    private double place(Note note) {
        Integer place = note.build() == null ? null : places.get(note.build());
        if (place != null) {
            return place;
        }
        Instant end = note.day().plusDays(1).atStartOfDay(ZoneOffset.UTC).toInstant();
        return family.tracks().stream()
                .flatMap(t -> t.trackPoints().points())
                .filter(p -> p.measuredAt().isBefore(end))
                .max(Comparator.comparing(TrackPoints.PointSummary::measuredAt))
                .map(p -> x(p.id()))
                .orElse(-1.0);
    }

    /** One, and one more of what is retracted, if anything is. */
    private List<Line> lines(SeriesFamily.Track track, int number) {
        Map<Long, TrackPoints.SegmentPosition> places = track.trackPoints().places();
        Set<Long> needed = track.changes().stream()
                .map(change -> change.keys().point())
                .collect(Collectors.toCollection(HashSet::new));
        places.forEach((point, place) -> {
            if (place.reason() != null) {
                needed.add(point);
            }
        });
        Map<Long, TrackPoints.BuildPoints> on = new HashMap<>();
        track.trackPoints().builds().forEach(stretch -> stretch.points().forEach(spot -> on.put(spot.id(), stretch)));
        List<Line> lines = new ArrayList<>();
        track.trackPoints()
                .points()
                .collect(Collectors.partitioningBy(spot -> place(places, spot).retracted()))
                .forEach((retracted, spots) -> {
                    if (!spots.isEmpty()) {
                        lines.add(line(
                                track,
                                colour(number),
                                retracted,
                                TrackPoints.thinned(spots, needed, MOST_DRAWN),
                                on,
                                neighbours(spots)));
                    }
                });
        return lines;
    }

    /** Of each point but the first the one before it, drawn or not. */
    private static Map<Long, TrackPoints.PointSummary> neighbours(List<TrackPoints.PointSummary> spots) {
        Map<Long, TrackPoints.PointSummary> before = new HashMap<>();
        for (int i = 1; i < spots.size(); i++) {
            before.put(spots.get(i).id(), spots.get(i - 1));
        }
        return before;
    }

    private Line line(
            SeriesFamily.Track track,
            int colour,
            boolean retracted,
            List<TrackPoints.PointSummary> spots,
            Map<Long, TrackPoints.BuildPoints> on,
            Map<Long, TrackPoints.PointSummary> neighbours) {
        Map<Long, TrackPoints.SegmentPosition> places = track.trackPoints().places();
        drawn += spots.size();
        List<Chart.Point> points = new ArrayList<>();
        List<Integer> breaks = new ArrayList<>();
        TrackPoints.PointSummary before = null;
        for (TrackPoints.PointSummary spot : framed ? spots.subList(0, 1) : spots) {
            if (before != null
                    && place(places, before).segment() != place(places, spot).segment()) {
                breaks.add(points.size());
            }
            points.add(point(
                    spot,
                    Objects.requireNonNull(on.get(spot.id())),
                    retracted,
                    facts(places, neighbours.get(spot.id()), spot)));
            before = spot;
        }
        return new Line(
                name(track) + (retracted ? ", retracted" : ""),
                colour,
                retracted ? CLEARED : List.of(),
                points,
                breaks);
    }

    /** @param before the point before it; null: none */
    private List<String> facts(
            Map<Long, TrackPoints.SegmentPosition> places,
            TrackPoints.@Nullable PointSummary before,
            TrackPoints.PointSummary spot) {
        List<String> facts = new ArrayList<>();
        Double low = spot.low();
        Double high = spot.high();
        facts.add(
                low == null || high == null
                        ? "one trial: no interval"
                        : "95 %: " + scale.range(low, high) + ", " + Format.of(spot.trials(), "trial"));
        String reason = place(places, spot).reason();
        if (reason == null && before != null && before.mean() > 0 && spot.mean() > 0) {
            facts.add(Format.change(spot.mean() / before.mean()) + " against the point before");
        }
        if (reason != null) {
            facts.add(reason + ": not comparable with what is before it");
        }
        if (!spot.judged()) {
            facts.add("not judged");
        }
        return facts;
    }

    private static TrackPoints.SegmentPosition place(
            Map<Long, TrackPoints.SegmentPosition> places, TrackPoints.PointSummary spot) {
        return Objects.requireNonNull(places.get(spot.id()));
    }

    private Chart.Point point(
            TrackPoints.PointSummary spot, TrackPoints.BuildPoints on, boolean retracted, List<String> facts) {
        Double low = spot.low();
        Double high = spot.high();
        return new Chart.Point(
                x(spot.id()),
                spot.mean() * scale.factor(),
                low == null ? null : Double.valueOf(low * scale.factor()),
                high == null ? null : Double.valueOf(high * scale.factor()),
                scale.text(spot.mean()),
                (repeats.getOrDefault(on.build(), 1) == 1
                                ? on.shortVersion()
                                : on.shortVersion() + ", " + Format.minute(spot.measuredAt()))
                        + (retracted ? ", retracted" : ""),
                Urls.run(spot.run()),
                facts);
    }
}
