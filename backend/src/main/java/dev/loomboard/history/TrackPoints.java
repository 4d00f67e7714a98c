package dev.loomboard.history;

import dev.loomboard.cell.Jdk;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The newest points of a track as far as its chart and what it can see need them, build by build in the order of the
 * history: hundreds of points in full would be most of a page's work.
 *
 * @param places of its points, by their keys; @param cut there may be older points
 */
public record TrackPoints(List<Stretch> stretches, Map<Long, Place> places, boolean cut) {

    /** Of each track, for its chart and what it can see. */
    static final int MOST_POINTS = 500;

    /** @param spots on the build, in the order of time */
    public record Stretch(String build, String runtimeVersion, List<Spot> spots) {
        public Stretch {
            spots = List.copyOf(spots);
        }

        public String shortVersion() {
            return Jdk.shortVersion(runtimeVersion);
        }
    }

    /** A point. @param id internal key; @param run external id; @param judged whether anything is learnt from it */
    public record Spot(
            long id,
            String run,
            Instant measuredAt,
            double mean,
            @Nullable Double low,
            @Nullable Double high,
            int trials,
            boolean judged) {}

    /**
     * Points of a series that share all else, in any order.
     *
     * @param read points of the series, whatever else they are and whoever may see them
     */
    record Alike(
            long series,
            int read,
            String build,
            String runtimeVersion,
            String server,
            String host,
            boolean retracted,
            List<Spot> spots) {}

    /** Where a point lies among the segments, of which the first is 0. @param reason what began with it; null: nothing */
    public record Place(int segment, @Nullable String reason, boolean retracted) {}

    public TrackPoints {
        stretches = List.copyOf(stretches);
    }

    /** @param alike of one series, in the order of builds */
    static TrackPoints of(List<Alike> alike) {
        List<Stretch> stretches = new ArrayList<>();
        Map<Long, Place> places = new LinkedHashMap<>();
        Alike before = null;
        int segment = 0;
        for (List<Alike> build : byBuild(alike)) {
            Map<Long, Alike> of = new HashMap<>();
            build.forEach(some -> some.spots().forEach(spot -> of.put(spot.id(), some)));
            List<Spot> spots = build.stream()
                    .flatMap(some -> some.spots().stream())
                    .sorted(Comparator.comparing(Spot::measuredAt).thenComparing(Spot::id))
                    .toList();
            for (Spot spot : spots) {
                Alike now = Objects.requireNonNull(of.get(spot.id()));
                String change = before == null ? null : change(before, now);
                segment += change == null ? 0 : 1;
                places.put(spot.id(), new Place(segment, change, now.retracted()));
                before = now;
            }
            Alike any = build.getFirst();
            stretches.add(new Stretch(any.build(), any.runtimeVersion(), spots));
        }
        return new TrackPoints(stretches, places, alike.stream().anyMatch(a -> a.read() >= MOST_POINTS));
    }

    private static Collection<List<Alike>> byBuild(List<Alike> alike) {
        return alike.stream()
                .collect(Collectors.groupingBy(Alike::build, LinkedHashMap::new, Collectors.toList()))
                .values();
    }

    private static @Nullable String change(Alike before, Alike after) {
        boolean server = !before.server().equals(after.server());
        boolean host = !before.host().equals(after.host());
        if (server) {
            return host ? "another build of the server, and the host changed" : "another build of the server";
        }
        return host ? "the host changed" : null;
    }

    public Stream<Spot> spots() {
        return stretches.stream().flatMap(stretch -> stretch.spots().stream());
    }

    /**
     * Fewer points that look the same: of each group of neighbours the lowest and the highest, and whatever is needed.
     *
     * @param needed keys of points that stay; the first and the last of all do too
     * @param most above it points are left out
     */
    static List<Spot> thinned(List<Spot> spots, Set<Long> needed, int most) {
        if (spots.size() <= most) {
            return spots;
        }
        List<Spot> kept = new ArrayList<>();
        int groups = most / 2;
        for (int group = 0; group < groups; group++) {
            int from = (int) ((long) spots.size() * group / groups);
            int to = (int) ((long) spots.size() * (group + 1) / groups);
            Spot low = spots.get(from);
            Spot high = low;
            for (Spot spot : spots.subList(from, to)) {
                low = spot.mean() < low.mean() ? spot : low;
                high = spot.mean() > high.mean() ? spot : high;
            }
            for (int i = from; i < to; i++) {
                Spot spot = spots.get(i);
                if (spot == low || spot == high || i == 0 || i == spots.size() - 1 || needed.contains(spot.id())) {
                    kept.add(spot);
                }
            }
        }
        return kept;
    }
}
