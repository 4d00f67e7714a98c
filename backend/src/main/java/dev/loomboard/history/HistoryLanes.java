package dev.loomboard.history;

import dev.loomboard.view.Chart.Band;
import dev.loomboard.view.Chart.Lane;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.BiPredicate;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/** What was the same for neighbouring points: the segments behind a history's chart, and below it the server and the host. */
final class HistoryLanes {

    /** Enough to tell digests apart. */
    private static final int SHORT = 8;

    private record Spot(double x, String track, TrackPoints.SegmentPosition position) {}

    private final List<Spot> spots;
    private final double from;
    private final double to;
    private final int tracks;

    /**
     * @param x of a point, by its key
     * @param from where the axis begins
     * @param to where it ends
     */
    HistoryLanes(SeriesFamily family, ToDoubleFunction<Long> x, double from, double to) {
        this.from = from;
        this.to = to;
        spots = family.tracks().stream()
                .flatMap(track -> track.trackPoints().places().entrySet().stream()
                        .map(place ->
                                new Spot(x.applyAsDouble(place.getKey()), HistoryChart.name(track), place.getValue())))
                .sorted(Comparator.comparingDouble(Spot::x))
                .toList();
        tracks = (int) spots.stream().map(Spot::track).distinct().count();
    }

    /** A stretch per track and segment, named by what began with it; none where there is but one. */
    List<Band> segments() {
        List<Band> segments = stretches(
                (a, b) -> a.track().equals(b.track())
                        && a.position().segment() == b.position().segment(),
                this::segment);
        return segments.size() > 1 ? segments : List.of();
    }

    private String segment(Spot first) {
        String reason = first.position().reason();
        String track = tracks > 1 ? first.track() : "";
        return reason == null ? track : track.isEmpty() ? reason : track + ": " + reason;
    }

    /** @param kernels by fingerprint, where one is known */
    List<Lane> lanes(Map<String, String> kernels) {
        return spots.isEmpty()
                ? List.of()
                : List.of(
                        lane("Server", TrackPoints.SegmentPosition::server, HistoryLanes::shortened),
                        lane(
                                "Host",
                                TrackPoints.SegmentPosition::host,
                                host -> kernels.getOrDefault(host, shortened(host))));
    }

    private Lane lane(String name, Function<TrackPoints.SegmentPosition, String> what, Function<String, String> words) {
        return new Lane(
                name,
                stretches(
                        (a, b) -> what.apply(a.position()).equals(what.apply(b.position())),
                        first -> words.apply(what.apply(first.position()))));
    }

    private static String shortened(String digest) {
        return digest.substring(0, Math.min(SHORT, digest.length()));
    }

    /** From the axis' one end to the other: each begins half-way between the points on both sides. */
    private List<Band> stretches(BiPredicate<Spot, Spot> same, Function<Spot, String> name) {
        List<Band> stretches = new ArrayList<>();
        double begin = from;
        int first = 0;
        for (int i = 1; i <= spots.size(); i++) {
            if (i == spots.size() || !same.test(spots.get(i - 1), spots.get(i))) {
                double end = i == spots.size()
                        ? to
                        : (spots.get(i - 1).x() + spots.get(i).x()) / 2;
                stretches.add(new Band(name.apply(spots.get(first)), begin, end, false));
                begin = end;
                first = i;
            }
        }
        return stretches;
    }
}
