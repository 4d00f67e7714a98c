package dev.loomboard.series;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Puts a family together from its members and their points, and cuts each track into segments. */
final class History {

    private History() {}

    /** @param key internal; @param itself the family as this member states it, without tracks */
    record Member(long key, SeriesFamily itself, int feature, String vendor, String architecture) {}

    /** A point before its segment is known. */
    record Row(long series, String serverDigest, String fingerprint, SeriesFamily.Point point) {}

    /**
     * @param asked external id of the series that was asked for
     * @param members highest feature release first; not empty
     * @param rows by series, then in the order of the history
     */
    static SeriesFamily family(String asked, List<Member> members, List<Row> rows) {
        SeriesFamily f = members.getFirst().itself();
        List<SeriesFamily.Track> tracks = members.stream()
                .map(m -> new SeriesFamily.Track(
                        m.itself().id(),
                        m.feature(),
                        m.vendor(),
                        m.architecture(),
                        segmented(
                                rows.stream().filter(r -> r.series() == m.key()).toList())))
                .toList();
        return new SeriesFamily(
                asked,
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
                tracks);
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
                segment,
                change);
    }
}
