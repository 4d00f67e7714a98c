package dev.loomboard.changepoint;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.changepoint.ComparablePoints.Seen;
import dev.loomboard.stats.change.Detector;
import dev.loomboard.stats.change.FollowUpPolicy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What the detector reports, in terms of builds and of what is stored. Keys of points are their index + 1000. */
final class ChangeReconciliationTest {

    private static final int STEP = 20;

    @Test
    void a_step_is_put_at_the_first_build_of_the_new_level() {
        ChangeReconciliation changes = ChangeReconciliation.of(watched(STEP, 26, 1), List.of());
        assertThat(changes.pairs()).hasSize(1);
        DetectedChange detected = changes.pairs().getFirst().detected();
        assertThat(detected.place()).isEqualTo(STEP);
        assertThat(detected.build()).isEqualTo(STEP);
        assertThat(detected.good()).isEqualTo(FollowUpPolicy.lastGood(STEP));
        assertThat(detected.found().before()).isLessThan(detected.found().after());
        assertThat(changes.pairs().getFirst().known()).isNull();
    }

    @Test
    void a_step_near_the_beginning_of_a_build_is_put_there_and_one_far_from_any_is_no_change_of_a_build() {
        DetectedChange near = only(watched(STEP + 2, 28, STEP)); // builds of 20 nights: the second begins at 20
        assertThat(near.found().index()).isEqualTo(STEP + 2);
        assertThat(near.place()).isEqualTo(STEP);
        assertThat(near.build()).isEqualTo(1);
        assertThat(near.good()).isZero();
        assertThat(near.ofTheBuild()).isTrue();
        DetectedChange within = only(watched(STEP + 8, 34, STEP));
        assertThat(within.place()).isEqualTo(STEP + 8);
        assertThat(within.ofTheBuild()).isFalse();
        assertThat(within.build()).isEqualTo(within.good());
    }

    @Test
    void what_is_stored_within_two_points_is_the_same_and_farther_off_another() {
        ComparablePoints watched = watched(STEP, 26, 1);
        for (int off : new int[] {-2, -1, 0, 1, 2}) {
            StoredChange stored = stored(7, STEP + off, ChangeStatus.SUSPECT);
            ChangeReconciliation changes = ChangeReconciliation.of(watched, List.of(stored));
            assertThat(changes.pairs().getFirst().known()).isEqualTo(stored);
            assertThat(changes.pairs().getFirst().placed())
                    .as("it stays where it was")
                    .isTrue();
            assertThat(changes.gone()).isEmpty();
        }
        StoredChange other = stored(7, STEP - 3, ChangeStatus.SUSPECT);
        ChangeReconciliation changes = ChangeReconciliation.of(watched, List.of(other));
        assertThat(changes.pairs()).hasSize(1);
        assertThat(changes.pairs().getFirst().known()).isNull();
        assertThat(changes.gone()).containsExactly(other);
    }

    @Test
    void the_nearest_of_two_stored_ones_is_meant() {
        StoredChange near = stored(7, STEP + 1, ChangeStatus.SUSPECT);
        ChangeReconciliation changes =
                ChangeReconciliation.of(watched(STEP, 26, 1), List.of(stored(6, STEP - 2, ChangeStatus.CLEARED), near));
        assertThat(changes.pairs().getFirst().known()).isEqualTo(near);
    }

    @Test
    void what_the_screen_alone_raised_nearby_is_another_matter_and_of_the_same_build_is_it() {
        StoredChange nearby =
                new StoredChange(7, 1, 500 + STEP - 1, 1, 999L + STEP, false, ChangeStatus.CLEARED, false, true);
        assertThat(ChangeReconciliation.of(watched(STEP, 26, 1), List.of(nearby))
                        .pairs()
                        .getFirst()
                        .known())
                .as("a rerun that cleared the build before says nothing of this one")
                .isNull();
        long build = only(watched(STEP, 26, 1)).build();
        StoredChange same = new StoredChange(7, 1, build, 1, 1000L + STEP, false, ChangeStatus.SUSPECT, false, true);
        assertThat(pair(watched(STEP, 26, 1), same).known()).isEqualTo(same);
    }

    @Test
    void a_change_of_the_build_takes_the_place_of_one_within_it() {
        StoredChange within = new StoredChange(7, 1, 1, 1, 1000L + STEP + 9, true, ChangeStatus.SUSPECT, false, false);
        ChangeReconciliation changes = ChangeReconciliation.of(watched(STEP, 34, STEP), List.of(within));
        assertThat(changes.pairs()).hasSize(1);
        assertThat(changes.pairs().getFirst().known()).isEqualTo(within);
        assertThat(changes.pairs().getFirst().placed()).isFalse();
    }

    @Test
    void what_was_found_for_the_build_on_another_host_stays_there() {
        StoredChange elsewhere = new StoredChange(7, 1, STEP, STEP - 3, 5L, true, ChangeStatus.SUSPECT, false, false);
        ChangeReconciliation changes = ChangeReconciliation.of(watched(STEP, 26, 1), List.of(elsewhere));
        assertThat(changes.pairs()).isEmpty();
        assertThat(changes.gone()).isEmpty();
    }

    @Test
    void history_is_looked_at_once_with_enough_points_and_never_again() {
        ComparablePoints early = watched(STEP, STEP + FollowUpPolicy.POINTS - 1, 1);
        assertThat(pair(early, null).due(early.points().size())).isFalse();
        ComparablePoints ripe = watched(STEP, STEP + FollowUpPolicy.POINTS, 1);
        int points = ripe.points().size();
        assertThat(pair(ripe, null).due(points)).isTrue();
        assertThat(pair(ripe, stored(7, STEP, ChangeStatus.SUSPECT)).due(points))
                .isTrue();
        assertThat(pair(ripe, stored(7, STEP, ChangeStatus.CLEARED)).due(points))
                .as("by a rerun")
                .isTrue();
        assertThat(pair(ripe, stored(7, STEP, ChangeStatus.CONFIRMED)).due(points))
                .isFalse();
        StoredChange looked =
                new StoredChange(7, 1, STEP, STEP - 3, 1000L + STEP, true, ChangeStatus.SUSPECT, true, false);
        assertThat(pair(ripe, looked).due(points)).isFalse();
    }

    @Test
    void nothing_is_suspected_between_levels_of_fewer_points_than_tell_how_much_a_series_varies() {
        double[] close = {532, 532.4, 532.1};
        ComparablePoints young = points(close, 546);
        assertThat(Detector.DEFAULT.changePoints(young.values()))
                .as("a fourth point far from three that lie close together")
                .hasSize(1);
        assertThat(DetectedChange.of(young)).isEmpty();
        assertThat(DetectedChange.of(points(close, 546, 546.3))).isEmpty();
        assertThat(DetectedChange.of(points(close, 546, 546.3, 545.9)))
                .as("six points, wherever they lie")
                .hasSize(1);
        assertThat(only(points(new double[] {532, 532.4, 532.1, 531.8, 532.2}, 546))
                        .place())
                .isEqualTo(5);
    }

    private static ChangeReconciliation.Pair pair(ComparablePoints watched, @Nullable StoredChange stored) {
        return ChangeReconciliation.of(watched, stored == null ? List.of() : List.of(stored))
                .pairs()
                .getFirst();
    }

    private static DetectedChange only(ComparablePoints watched) {
        List<DetectedChange> detected = DetectedChange.of(watched);
        assertThat(detected).hasSize(1);
        return detected.getFirst();
    }

    private static StoredChange stored(long id, int index, ChangeStatus status) {
        return new StoredChange(id, 1, 500 + index, index - 3, 1000L + index, true, status, false, false);
    }

    private static ComparablePoints points(double[] before, double... after) {
        double[] values =
                DoubleStream.concat(Arrays.stream(before), Arrays.stream(after)).toArray();
        return new ComparablePoints(
                1,
                "rss_peak_mib",
                IntStream.range(0, values.length)
                        .mapToObj(i -> new Seen(1000 + i, i, values[i]))
                        .toList());
    }

    /** Ten per cent more from {@code step} on, and some noise; a new build every so many nights. */
    private static ComparablePoints watched(int step, int nights, int nightsPerBuild) {
        List<Seen> points = new ArrayList<>();
        for (int i = 0; i < nights; i++) {
            double noise = i % 3 == 0 ? 0.4 : i % 3 == 1 ? -0.3 : 0;
            points.add(new Seen(1000 + i, i / nightsPerBuild, (i < step ? 100 : 110) + noise));
        }
        return new ComparablePoints(1, "response_excess_p50_ms", points);
    }
}
