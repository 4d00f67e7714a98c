package dev.loomboard.history;

import dev.loomboard.cell.Jdk;
import dev.loomboard.stats.Moments;
import dev.loomboard.stats.Scale;
import dev.loomboard.stats.change.MinimumDetectableEffect;
import dev.loomboard.verdict.DeclaredTest;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Puts a family together from its members and their points, and cuts each track into segments. */
final class History {

    private History() {}

    /**
     * @param key internal
     * @param itself the family as this member states it, without tracks
     */
    record Member(
            long key,
            SeriesFamily itself,
            int feature,
            String vendor,
            String architecture,
            List<HostState.Row> hosts) {}

    /** Newest points of a track whose trials tell how trials vary: a thousand values are enough. */
    static final int SPREAD_OF = 50;

    /**
     * A point before its segment is known.
     *
     * @param age from 1, the newest of its series
     */
    record Row(long series, long pointId, int age, SeriesFamily.Point point) {}

    /**
     * @param asked external id of the series that was asked for
     * @param members highest feature release first; not empty
     * @param courses by series, then in the order of builds
     * @param rows in the order of the history
     * @param range that is shown; what a track can see is learnt from all of it
     */
    static SeriesFamily family(
            String asked,
            List<Member> members,
            List<TrackPoints.PointGroup> courses,
            List<Row> rows,
            List<ChangeView> changes,
            List<Note> notes,
            HistoryRange range) {
        SeriesFamily f = members.getFirst().itself();
        boolean judged = members.stream().anyMatch(m -> m.itself().judged());
        Map<Long, TrackPoints> whole = members.stream()
                .collect(Collectors.toMap(
                        Member::key,
                        m -> TrackPoints.of(courses.stream()
                                .filter(c -> c.series() == m.key())
                                .toList())));
        SeriesFamily.Builds builds = SeriesFamily.Builds.of(members.reversed().stream()
                .map(m -> new SeriesFamily.TrackBuilds(
                        Jdk.track(m.feature(), m.vendor(), m.architecture()),
                        of(whole, m).builds(),
                        of(whole, m).places().size()))
                .toList());
        Set<String> chosen = range.builds(builds.slugs());
        List<SeriesFamily.Track> tracks = members.stream()
                .map(m -> track(
                        m,
                        of(whole, m),
                        of(whole, m).newest(range.newest().most(), chosen),
                        rows.stream().filter(r -> r.series() == m.key()).toList(),
                        changes.stream()
                                .filter(c -> c.keys().series() == m.key())
                                .toList(),
                        judged ? f.metric() : null))
                .toList();
        Instant first = tracks.stream()
                .flatMap(t -> t.trackPoints().points())
                .map(TrackPoints.PointSummary::measuredAt)
                .min(Comparator.naturalOrder())
                .orElse(null);
        List<HostState.Row> hosts =
                members.stream().flatMap(m -> m.hosts().stream()).toList();
        return new SeriesFamily(
                asked,
                f.workspaceKey(),
                judged,
                f.workspace(),
                f.metric(),
                f.cell(),
                members.stream().flatMap(m -> m.itself().siblings().stream()).toList(),
                tracks,
                builds,
                HostState.timeline(hosts, first),
                notes);
    }

    private static TrackPoints of(Map<Long, TrackPoints> all, Member member) {
        return Objects.requireNonNull(all.get(member.key()));
    }

    /**
     * @param whole all that was read
     * @param shown of it
     * @param metric null: not judged
     */
    private static SeriesFamily.Track track(
            Member member,
            TrackPoints whole,
            TrackPoints shown,
            List<Row> rows,
            List<ChangeView> changes,
            @Nullable String metric) {
        List<Level> levels = levels(whole, changes);
        MinimumDetectableEffect detectable = metric == null ? null : detectable(metric, levels, rows);
        boolean all = shown == whole;
        return new SeriesFamily.Track(
                member.itself().id(),
                member.feature(),
                member.vendor(),
                member.architecture(),
                shown,
                rows.stream()
                        .filter(row -> all || shown.has(row.pointId()))
                        .map(row -> placed(row, whole.places()))
                        .toList(),
                changes.stream()
                        .filter(change -> all || shown.has(change.keys().point()))
                        .toList(),
                detectable,
                metric == null || detectable == null || levels.isEmpty() || !endsAlike(whole, shown)
                        ? null
                        : reach(levels.getLast(), DeclaredTest.margin(metric).scale(), detectable.least()));
    }

    /** Whether the newest point is shown, and so the newest level. */
    private static boolean endsAlike(TrackPoints whole, TrackPoints shown) {
        return whole.points()
                .reduce((before, last) -> last)
                .filter(last -> shown.has(last.id()))
                .isPresent();
    }

    /** @param least size of a change that is found, as {@link MinimumDetectableEffect} gives it; null: not known */
    private static SeriesFamily.@Nullable Reach reach(Level level, Scale scale, @Nullable Double least) {
        if (least == null) {
            return null;
        }
        double mean = scale.from(Moments.of(level.means(), scale).mean());
        return switch (scale) {
            case LN -> new SeriesFamily.Reach(level.first(), mean / (1 + least), mean * (1 + least));
            case IDENTITY -> new SeriesFamily.Reach(level.first(), mean - least, mean + least);
        };
    }

    /**
     * Points that may be judged, between changes of server, host and level.
     *
     * @param first key of its first point
     */
    private record Level(long first, List<Double> means) {}

    private static List<Level> levels(TrackPoints trackPoints, List<ChangeView> changes) {
        Map<Long, TrackPoints.SegmentPosition> places = trackPoints.places();
        Set<Long> begins = new HashSet<>(places.keySet());
        begins.removeIf(point -> Objects.requireNonNull(places.get(point)).reason() == null);
        changes.stream()
                .filter(c -> c.decision().reported() && !c.decision().cleared())
                .forEach(c -> begins.add(c.keys().point()));
        List<Level> levels = new ArrayList<>();
        boolean another = true;
        for (TrackPoints.PointSummary spot : trackPoints.points().toList()) {
            another |= begins.contains(spot.id());
            if (spot.judged()) {
                if (another) {
                    levels.add(new Level(spot.id(), new ArrayList<>()));
                }
                levels.getLast().means().add(spot.mean());
                another = false;
            }
        }
        return levels;
    }

    /** Learnt within levels. */
    private static MinimumDetectableEffect detectable(String metric, List<Level> levels, List<Row> rows) {
        List<List<Double>> trials = rows.stream()
                .filter(row -> row.age() <= SPREAD_OF && row.point().standing().judged())
                .map(row -> row.point().trials().trialValues())
                .toList();
        return MinimumDetectableEffect.of(
                DeclaredTest.margin(metric), levels.stream().map(Level::means).toList(), trials);
    }

    private static SeriesFamily.Point placed(Row row, Map<Long, TrackPoints.SegmentPosition> places) {
        SeriesFamily.Point p = row.point();
        TrackPoints.SegmentPosition place = places.get(row.pointId());
        return new SeriesFamily.Point(
                p.build(),
                p.runtimeVersion(),
                p.availability(),
                p.run(),
                p.cell(),
                p.measuredAt(),
                p.estimate(),
                p.trials(),
                p.standing(),
                place == null ? p.segment() : new SeriesFamily.Segment(place.segment(), place.reason()));
    }
}
