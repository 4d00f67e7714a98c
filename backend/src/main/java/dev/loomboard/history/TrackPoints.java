package dev.loomboard.history;

import dev.loomboard.cell.Jdk;
import dev.loomboard.kernel.Internal;
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
 * @param places of its points, by their keys
 * @param cut there may be others
 */
public record TrackPoints(List<BuildPoints> builds, Map<Long, SegmentPosition> places, boolean cut)
        implements Internal {

    /** Of each track, for its chart and what it can see. */
    static final int MOST_POINTS = 500;

    private static final Comparator<PointSummary> BY_TIME =
            Comparator.comparing(PointSummary::measuredAt).thenComparing(PointSummary::id);

    /** @param points on the build, in the order of time */
    public record BuildPoints(String build, String runtimeVersion, List<PointSummary> points) {
        public BuildPoints {
            points = List.copyOf(points);
        }

        public String shortVersion() {
            return Jdk.shortVersion(runtimeVersion);
        }

        BuildPoints only(Set<Long> kept) {
            return new BuildPoints(
                    build,
                    runtimeVersion,
                    points.stream().filter(point -> kept.contains(point.id())).toList());
        }
    }

    /**
     * A point.
     *
     * @param id internal key
     * @param run external id
     * @param judged whether anything is learnt from it
     */
    public record PointSummary(
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
     * @param read all points of the series, also those that the caller may not see
     */
    record PointGroup(
            long series,
            int read,
            String build,
            String runtimeVersion,
            String server,
            String host,
            boolean retracted,
            List<PointSummary> points) {}

    /**
     * Where a point lies among the segments, of which the first is 0.
     *
     * @param reason what began with it; null: nothing
     * @param server digest
     * @param host fingerprint
     */
    public record SegmentPosition(
            int segment, @Nullable String reason, boolean retracted, String server, String host) {}

    public TrackPoints {
        builds = List.copyOf(builds);
    }

    /** @param groups of one series, in the order of builds */
    static TrackPoints of(List<PointGroup> groups) {
        List<BuildPoints> builds = new ArrayList<>();
        Map<Long, SegmentPosition> places = new LinkedHashMap<>();
        PointGroup before = null;
        int segment = 0;
        for (List<PointGroup> build : byBuild(groups)) {
            Map<Long, PointGroup> of = new HashMap<>();
            build.forEach(some -> some.points().forEach(point -> of.put(point.id(), some)));
            List<PointSummary> points = build.stream()
                    .flatMap(some -> some.points().stream())
                    .sorted(BY_TIME)
                    .toList();
            for (PointSummary point : points) {
                PointGroup now = Objects.requireNonNull(of.get(point.id()));
                String change = before == null ? null : change(before, now);
                segment += change == null ? 0 : 1;
                places.put(point.id(), new SegmentPosition(segment, change, now.retracted(), now.server(), now.host()));
                before = now;
            }
            PointGroup any = build.getFirst();
            builds.add(new BuildPoints(any.build(), any.runtimeVersion(), points));
        }
        return new TrackPoints(builds, places, groups.stream().anyMatch(a -> a.read() >= MOST_POINTS));
    }

    /**
     * Its newest points on some builds, each in the segment that it has among all.
     *
     * @param of slugs of the builds
     */
    TrackPoints newest(int most, Set<String> of) {
        Set<Long> kept = builds.stream()
                .filter(build -> of.contains(build.build()))
                .flatMap(build -> build.points().stream())
                .sorted(BY_TIME.reversed())
                .limit(most)
                .map(PointSummary::id)
                .collect(Collectors.toSet());
        return kept.size() == places.size() ? this : only(kept);
    }

    private TrackPoints only(Set<Long> kept) {
        Map<Long, SegmentPosition> left = new LinkedHashMap<>(places);
        left.keySet().retainAll(kept);
        return new TrackPoints(
                builds.stream()
                        .map(build -> build.only(kept))
                        .filter(build -> !build.points().isEmpty())
                        .toList(),
                left,
                true);
    }

    boolean has(long point) {
        return places.containsKey(point);
    }

    private static Collection<List<PointGroup>> byBuild(List<PointGroup> groups) {
        return groups.stream()
                .collect(Collectors.groupingBy(PointGroup::build, LinkedHashMap::new, Collectors.toList()))
                .values();
    }

    private static @Nullable String change(PointGroup before, PointGroup after) {
        boolean server = !before.server().equals(after.server());
        boolean host = !before.host().equals(after.host());
        if (server) {
            return host ? "another build of the server, and the host changed" : "another build of the server";
        }
        return host ? "the host changed" : null;
    }

    public Stream<PointSummary> points() {
        return builds.stream().flatMap(build -> build.points().stream());
    }

    /**
     * Fewer points that look the same: of each group of neighbours the lowest and the highest, and whatever is needed.
     *
     * @param needed keys of points that stay; the first and the last of all do too
     * @param most above it points are left out
     */
    static List<PointSummary> thinned(List<PointSummary> points, Set<Long> needed, int most) {
        if (points.size() <= most) {
            return points;
        }
        List<PointSummary> thinned = new ArrayList<>();
        int buckets = most / 2;
        for (int bucket = 0; bucket < buckets; bucket++) {
            int from = (int) ((long) points.size() * bucket / buckets);
            int to = (int) ((long) points.size() * (bucket + 1) / buckets);
            PointSummary low = points.get(from);
            PointSummary high = low;
            for (PointSummary point : points.subList(from, to)) {
                low = point.mean() < low.mean() ? point : low;
                high = point.mean() > high.mean() ? point : high;
            }
            for (int i = from; i < to; i++) {
                PointSummary point = points.get(i);
                if (point == low || point == high || i == 0 || i == points.size() - 1 || needed.contains(point.id())) {
                    thinned.add(point);
                }
            }
        }
        return thinned;
    }
}
