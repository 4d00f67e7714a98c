package dev.loomboard.history;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Fewer points that look the same, and where segments begin. */
final class TrackPointsTest {

    private static TrackPoints.PointSummary spot(long id, double mean) {
        return new TrackPoints.PointSummary(id, "run_a", Instant.EPOCH.plusSeconds(id), mean, null, null, 1, true);
    }

    private static List<TrackPoints.PointSummary> spots(int count, int seed) {
        Random random = new Random(seed);
        List<TrackPoints.PointSummary> spots = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            spots.add(spot(i, 100 + random.nextGaussian()));
        }
        return spots;
    }

    @Property(tries = 200)
    void thinned_points_keep_extremes_ends_and_what_is_needed(
            @ForAll @IntRange(min = 1, max = 3000) int count, @ForAll int seed) {
        List<TrackPoints.PointSummary> all = spots(count, seed);
        Set<Long> needed = new TreeSet<>(List.of((long) count / 3, (long) count / 2));
        List<TrackPoints.PointSummary> kept = TrackPoints.thinned(all, needed, 240);
        assertThat(kept)
                .isSubsetOf(all)
                .doesNotHaveDuplicates()
                .isSortedAccordingTo((a, b) -> Long.compare(a.id(), b.id()));
        assertThat(kept.size()).isLessThanOrEqualTo(240 + needed.size() + 2);
        assertThat(kept).contains(all.getFirst(), all.getLast());
        assertThat(kept.stream().map(TrackPoints.PointSummary::id)).containsAll(needed);
        assertThat(kept.stream().mapToDouble(TrackPoints.PointSummary::mean).max())
                .isEqualTo(
                        all.stream().mapToDouble(TrackPoints.PointSummary::mean).max());
        assertThat(kept.stream().mapToDouble(TrackPoints.PointSummary::mean).min())
                .isEqualTo(
                        all.stream().mapToDouble(TrackPoints.PointSummary::mean).min());
        if (count <= 240) {
            assertThat(kept).isEqualTo(all);
        }
    }

    /** One night of five hundred that stands out is drawn, wherever it is. */
    @Property(tries = 50)
    void a_single_night_that_stands_out_is_drawn(@ForAll @IntRange(min = 0, max = 499) int night) {
        List<TrackPoints.PointSummary> all = spots(500, 7);
        all.set(night, spot(night, 300));
        assertThat(TrackPoints.thinned(all, Set.of(), 240)).contains(all.get(night));
    }

    @Test
    void the_newest_points_keep_their_segments_among_all() {
        TrackPoints all = TrackPoints.of(List.of(
                alike("a", "server 1", "host 1", 1, 4),
                alike("b", "server 2", "host 1", 2, 3),
                alike("c", "server 3", "host 1", 5)));
        Set<String> everywhere = Set.of("a", "b", "c");
        TrackPoints newest = all.newest(2, everywhere);
        assertThat(newest.points())
                .as("of the first build the newer one, of the second none")
                .extracting(TrackPoints.PointSummary::id)
                .containsExactly(4L, 5L);
        assertThat(newest.builds()).extracting(TrackPoints.BuildPoints::build).containsExactly("a", "c");
        assertThat(newest.places())
                .containsOnlyKeys(4L, 5L)
                .containsEntry(5L, at(2, "another build of the server", "server 3", "host 1"));
        assertThat(newest.cut()).isTrue();
        assertThat(all.newest(5, everywhere)).isSameAs(all);
    }

    @Test
    void points_of_chosen_builds_keep_their_segments_among_all() {
        TrackPoints all = TrackPoints.of(List.of(
                alike("a", "server 1", "host 1", 1),
                alike("b", "server 2", "host 1", 2, 3),
                alike("c", "server 2", "host 1", 4)));
        TrackPoints chosen = all.newest(2, Set.of("a", "b"));
        assertThat(chosen.points())
                .as("the newest two of the two builds")
                .extracting(TrackPoints.PointSummary::id)
                .containsExactly(2L, 3L);
        assertThat(chosen.places()).containsEntry(2L, at(1, "another build of the server", "server 2", "host 1"));
    }

    @Test
    void a_segment_begins_where_the_server_or_the_host_is_another() {
        TrackPoints trackPoints = TrackPoints.of(List.of(
                alike("a", "server 1", "host 1", 1, 4),
                alike("a", "server 2", "host 1", 2, 3),
                alike("b", "server 1", "host 2", 5),
                alike("b", "server 2", "host 1", 6)));
        assertThat(trackPoints.builds())
                .extracting(TrackPoints.BuildPoints::build)
                .containsExactly("a", "b");
        assertThat(trackPoints.points())
                .extracting(TrackPoints.PointSummary::id)
                .containsExactly(1L, 2L, 3L, 4L, 5L, 6L);
        assertThat(trackPoints.places().values())
                .containsExactly(
                        at(0, null, "server 1", "host 1"),
                        at(1, "another build of the server", "server 2", "host 1"),
                        at(1, null, "server 2", "host 1"),
                        at(2, "another build of the server", "server 1", "host 1"),
                        at(3, "the host changed", "server 1", "host 2"),
                        at(4, "another build of the server, and the host changed", "server 2", "host 1"));
        assertThat(trackPoints.cut()).isFalse();
    }

    private static TrackPoints.SegmentPosition at(int segment, @Nullable String reason, String server, String host) {
        return new TrackPoints.SegmentPosition(segment, reason, false, server, host);
    }

    private static TrackPoints.PointGroup alike(String build, String server, String host, long... ids) {
        return new TrackPoints.PointGroup(
                1,
                6,
                build,
                "25+1",
                server,
                host,
                false,
                Arrays.stream(ids).mapToObj(id -> spot(id, 1)).toList());
    }
}
