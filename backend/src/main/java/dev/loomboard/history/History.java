package dev.loomboard.history;

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
import org.jspecify.annotations.Nullable;

/** Puts a family together from its members and their points, and cuts each track into segments. */
final class History {

    private History() {}

    /** @param key internal; @param itself the family as this member states it, without tracks */
    record Member(
            long key,
            SeriesFamily itself,
            int feature,
            String vendor,
            String architecture,
            List<HostState.Row> hosts) {}

    /** Newest points of a track whose trials tell how trials vary: a thousand values are enough. */
    static final int SPREAD_OF = 50;

    /** A point before its segment is known. @param age from 1, the newest of its series */
    record Row(long series, long pointId, int age, SeriesFamily.Point point) {}

    /**
     * @param asked external id of the series that was asked for
     * @param members highest feature release first; not empty
     * @param courses by series, then in the order of builds; @param rows in the order of the history
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
        List<SeriesFamily.Track> tracks = members.stream()
                .map(m -> track(
                        m,
                        TrackPoints.of(courses.stream()
                                .filter(c -> c.series() == m.key())
                                .toList()),
                        rows.stream().filter(r -> r.series() == m.key()).toList(),
                        changes.stream()
                                .filter(c -> c.keys().series() == m.key())
                                .toList(),
                        judged ? f.metric() : null,
                        range))
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
                HostState.timeline(hosts, first),
                notes);
    }

    /** @param metric null: not judged */
    private static SeriesFamily.Track track(
            Member member,
            TrackPoints trackPoints,
            List<Row> rows,
            List<ChangeView> changes,
            @Nullable String metric,
            HistoryRange range) {
        Map<Long, TrackPoints.SegmentPosition> places = trackPoints.places();
        TrackPoints shown = trackPoints.newest(range.most());
        return new SeriesFamily.Track(
                member.itself().id(),
                member.feature(),
                member.vendor(),
                member.architecture(),
                shown,
                rows.stream()
                        .filter(row -> range.all() || shown.has(row.pointId()))
                        .map(row -> placed(row, places))
                        .toList(),
                changes.stream()
                        .filter(change -> range.all() || shown.has(change.keys().point()))
                        .toList(),
                metric == null ? null : detectable(metric, trackPoints, places, rows, changes));
    }

    /** Learnt from the points that may be judged, within their levels: between changes of server, host and level. */
    private static MinimumDetectableEffect detectable(
            String metric,
            TrackPoints trackPoints,
            Map<Long, TrackPoints.SegmentPosition> places,
            List<Row> rows,
            List<ChangeView> changes) {
        Set<Long> begins = new HashSet<>(places.keySet());
        begins.removeIf(point -> Objects.requireNonNull(places.get(point)).reason() == null);
        changes.stream()
                .filter(c -> c.decision().reported() && !c.decision().cleared())
                .forEach(c -> begins.add(c.keys().point()));
        List<List<Double>> levels = new ArrayList<>();
        boolean another = true;
        for (TrackPoints.PointSummary spot : trackPoints.points().toList()) {
            another |= begins.contains(spot.id());
            if (spot.judged()) {
                if (another) {
                    levels.add(new ArrayList<>());
                }
                levels.getLast().add(spot.mean());
                another = false;
            }
        }
        List<List<Double>> trials = rows.stream()
                .filter(row -> row.age() <= SPREAD_OF && row.point().standing().judged())
                .map(row -> row.point().trials().trialValues())
                .toList();
        return MinimumDetectableEffect.of(DeclaredTest.margin(metric), levels, trials);
    }

    private static SeriesFamily.Point placed(Row row, Map<Long, TrackPoints.SegmentPosition> places) {
        SeriesFamily.Point p = row.point();
        TrackPoints.SegmentPosition place =
                places.getOrDefault(row.pointId(), new TrackPoints.SegmentPosition(0, null, false));
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
                new SeriesFamily.Segment(place.segment(), place.reason()));
    }
}
