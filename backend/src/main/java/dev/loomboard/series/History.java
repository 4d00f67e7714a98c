package dev.loomboard.series;

import dev.loomboard.catalog.Metrics;
import dev.loomboard.compare.Declared;
import dev.loomboard.stats.Detectable;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
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

    /** A point before its segment is known. */
    record Row(long series, long pointId, String serverDigest, String fingerprint, SeriesFamily.Point point) {}

    /**
     * @param asked external id of the series that was asked for
     * @param members highest feature release first; not empty
     * @param rows by series, then in the order of the history
     */
    static SeriesFamily family(
            String asked, List<Member> members, List<Row> rows, List<SeenChange> changes, List<Note> notes) {
        SeriesFamily f = members.getFirst().itself();
        boolean judged = members.stream().anyMatch(m -> m.itself().judged());
        List<SeriesFamily.Track> tracks = members.stream()
                .map(m -> track(
                        m,
                        rows.stream().filter(r -> r.series() == m.key()).toList(),
                        changes.stream().filter(c -> c.seriesId() == m.key()).toList(),
                        judged ? f.metric() : null))
                .toList();
        Instant first = rows.stream()
                .map(r -> r.point().measuredAt())
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
                f.server(),
                f.variant(),
                f.concurrencyModel(),
                f.workload(),
                f.scenarioKey(),
                f.collector(),
                f.protocol(),
                f.machine(),
                f.machineSlug(),
                f.machineName(),
                members.stream().flatMap(m -> m.itself().siblings().stream()).toList(),
                tracks,
                HostState.timeline(hosts, first),
                notes);
    }

    /** @param metric null: not judged */
    private static SeriesFamily.Track track(
            Member member, List<Row> rows, List<SeenChange> changes, @Nullable String metric) {
        return new SeriesFamily.Track(
                member.itself().id(),
                member.feature(),
                member.vendor(),
                member.architecture(),
                segmented(rows),
                changes,
                metric == null ? null : detectable(metric, rows, changes));
    }

    /** Learnt from the points that may be judged, within their levels: between changes of server, host and level. */
    private static Detectable detectable(String metric, List<Row> rows, List<SeenChange> changes) {
        Set<Long> begins = changes.stream()
                .filter(c -> c.standing() && !c.status().equals("dropped"))
                .map(SeenChange::pointId)
                .collect(Collectors.toSet());
        List<List<Double>> levels = new ArrayList<>();
        List<List<Double>> trials = new ArrayList<>();
        Row before = null;
        for (Row row : rows) {
            if (!row.point().judged()) {
                continue;
            }
            if (before == null || begins.contains(row.pointId()) || change(before, row) != null) {
                levels.add(new ArrayList<>());
            }
            levels.getLast().add(row.point().mean());
            trials.add(row.point().trialValues());
            before = row;
        }
        return Detectable.of(
                Declared.margin(metric), levels, trials, Metrics.all().headlines());
    }

    private static List<SeriesFamily.Point> segmented(List<Row> rows) {
        List<SeriesFamily.Point> points = new ArrayList<>();
        int segment = 0;
        Row before = null;
        for (Row row : rows) {
            String change = before == null ? null : change(before, row);
            if (change != null) {
                segment++;
            }
            points.add(placed(row.point(), segment, change));
            before = row;
        }
        return points;
    }

    private static @Nullable String change(Row before, Row after) {
        boolean server = !before.serverDigest().equals(after.serverDigest());
        boolean host = !before.fingerprint().equals(after.fingerprint());
        if (server) {
            return host ? "another build of the server, and the host changed" : "another build of the server";
        }
        return host ? "the host changed" : null;
    }

    private static SeriesFamily.Point placed(SeriesFamily.Point p, int segment, @Nullable String change) {
        return new SeriesFamily.Point(
                p.build(),
                p.runtimeVersion(),
                p.availability(),
                p.run(),
                p.cell(),
                p.measuredAt(),
                p.mean(),
                p.low(),
                p.high(),
                p.trialValues(),
                p.trials(),
                p.eligible(),
                p.standing(),
                p.reason(),
                p.retracted(),
                segment,
                change);
    }
}
