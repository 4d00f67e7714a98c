package dev.loomboard.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.cell.RunState;
import dev.loomboard.cell.Visibility;
import dev.loomboard.kernel.MachineId;
import dev.loomboard.kernel.WorkspaceId;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class FiringRulesTest {

    private static final Instant SINCE = Instant.parse("2026-11-21T12:00:00Z");

    @Test
    void obstacle_names_its_reason() {
        Schedule active = schedule(Schedule.State.ACTIVE, null);
        assertThat(FiringRules.obstacle(active, List.of(), true)).isEmpty();
        assertThat(FiringRules.obstacle(schedule(Schedule.State.ACTIVE, SINCE), List.of(), true))
                .contains(new Firing.Skipped(
                        SkipKind.REFUSED, "Its machine was revoked on Sat 2026-11-21 13:00 +01:00."));
        assertThat(FiringRules.obstacle(active, List.of(open(RunState.QUEUED)), true))
                .contains(new Firing.Skipped(
                        SkipKind.OVERLAP,
                        "An earlier run of this schedule, run_a, is still queued since Sat 2026-11-21 13:00 +01:00."));
    }

    @Test
    void overlap_says_whether_an_open_run_is_in_the_way() {
        for (RunState state : List.of(RunState.QUEUED, RunState.LEASED, RunState.RUNNING, RunState.DISCONNECTED)) {
            boolean queued = state == RunState.QUEUED;
            assertThat(inTheWay(Overlap.SKIP, state, true)).as(state.wire()).isTrue();
            assertThat(inTheWay(Overlap.QUEUE, state, true)).as(state.wire()).isEqualTo(queued);
            assertThat(inTheWay(Overlap.STOP, state, true)).as(state.wire()).isFalse();
            for (Overlap overlap : Overlap.values()) {
                assertThat(inTheWay(overlap, state, false)).as("by hand").isEqualTo(queued);
            }
        }
    }

    private static boolean inTheWay(Overlap overlap, RunState state, boolean due) {
        Schedule schedule = schedule(Schedule.State.ACTIVE, null, overlap);
        return FiringRules.obstacle(schedule, List.of(open(state)), due).isPresent();
    }

    private static FiringRules.OpenRun open(RunState state) {
        return new FiringRules.OpenRun("run_a", state, SINCE);
    }

    @Test
    void only_firings_after_the_last_change_count() {
        Schedule active = schedule(Schedule.State.ACTIVE, null);
        assertThat(FiringRules.counts(active, SINCE.plusSeconds(1))).isTrue();
        assertThat(FiringRules.counts(active, SINCE)).isFalse();
        assertThat(FiringRules.counts(schedule(Schedule.State.PAUSED, null), SINCE.plusSeconds(1)))
                .isFalse();
    }

    @Test
    void missed_are_those_after_the_last_firing_and_the_last_change() {
        Schedule active = schedule(Schedule.State.ACTIVE, null);
        Instant first = SINCE.plusSeconds(10);
        Instant second = SINCE.plusSeconds(20);
        assertThat(FiringRules.missed(List.of(SINCE.minusSeconds(5), first, second), active, null))
                .containsExactly(first, second);
        assertThat(FiringRules.missed(List.of(first, second), active, first)).containsExactly(second);
    }

    private static Schedule schedule(Schedule.State state, @Nullable Instant revoked) {
        return schedule(state, revoked, Overlap.SKIP);
    }

    private static Schedule schedule(Schedule.State state, @Nullable Instant revoked, Overlap overlap) {
        return new Schedule(
                new ScheduleId(1),
                new WorkspaceId(1),
                "sch_a",
                "main",
                "nightly",
                "Nightly",
                new Schedule.MatrixRef(1, "mtx_a", "starter", "Starter"),
                new Schedule.Machine(new MachineId(1), "mac_a", "bench", "bench", revoked),
                Visibility.PUBLIC,
                new Schedule.Times("0 0 2 * * ?", "Europe/Berlin", SINCE),
                new Schedule.Builds(List.of(), false, Schedule.Control.UNCHOSEN),
                new Schedule.Rules(overlap, null, null, 0),
                state);
    }
}
