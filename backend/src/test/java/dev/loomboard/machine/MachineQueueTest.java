package dev.loomboard.machine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.cell.RunPriority;
import dev.loomboard.cell.RunState;
import dev.loomboard.machine.MachineQueue.QueuedRun;
import dev.loomboard.machine.MachineQueue.Row;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** When runs that wait are expected to start, and at the latest. */
final class MachineQueueTest {

    private static final Instant NOW = Instant.parse("2026-11-21T02:00:00Z");

    @Test
    void each_starts_when_those_before_it_are_over() {
        MachineQueue queue = MachineQueue.of(
                List.of(waits("a", 600.0, 1800.0), waits("b", 60.0, 60.0), waits("c", 1.0, 1.0)), NOW, null);
        assertThat(queue.runs())
                .extracting(QueuedRun::expectedStart)
                .containsExactly(NOW, NOW.plusSeconds(600), NOW.plusSeconds(660));
        assertThat(queue.runs())
                .extracting(QueuedRun::latestStart)
                .containsExactly(NOW, NOW.plusSeconds(1800), NOW.plusSeconds(1860));
        assertThat(queue.before("c")).contains(2);
        assertThat(queue.before("d")).isEmpty();
    }

    @Test
    void the_run_that_is_held_ends_when_its_agent_says_and_never_in_the_past() {
        assertThat(startAfter(held(NOW.plusSeconds(90), -10, 600.0))).isEqualTo(NOW.plusSeconds(90));
        assertThat(startAfter(held(NOW.minusSeconds(90), -10, 600.0))).isEqualTo(NOW);
        assertThat(startAfter(held(null, -100, 600.0))).isEqualTo(NOW.plusSeconds(500));
        assertThat(startAfter(held(null, -1000, 600.0))).isEqualTo(NOW);
        assertThat(MachineQueue.of(List.of(held(null, -1, 1.0)), NOW, null).before("held"))
                .as("it does not wait")
                .isEmpty();
    }

    @Test
    void behind_what_is_not_known_nothing_is_known() {
        MachineQueue queue = MachineQueue.of(List.of(waits("a", null, null), waits("b", 60.0, 60.0)), NOW, null);
        assertThat(queue.runs()).extracting(QueuedRun::expectedStart).containsExactly(NOW, null);
        assertThat(queue.runs()).extracting(QueuedRun::latestStart).containsExactly(NOW, null);
    }

    @Test
    void what_was_not_reckoned_is_taken_at_its_most() {
        MachineQueue queue = MachineQueue.of(List.of(waits("a", null, 1800.0), waits("b", 60.0, 60.0)), NOW, null);
        assertThat(queue.runs().getLast().expectedStart()).isEqualTo(NOW.plusSeconds(1800));
    }

    @Test
    void a_machine_that_takes_none_lets_none_start() {
        MachineQueue queue = MachineQueue.of(List.of(waits("a", 60.0, 60.0)), NOW, "it drains");
        assertThat(queue.runs()).extracting(QueuedRun::expectedStart).containsOnlyNulls();
        assertThat(queue.obstacle()).isEqualTo("it drains");
    }

    private static @Nullable Instant startAfter(Row held) {
        return MachineQueue.of(List.of(held, waits("next", 60.0, 60.0)), NOW, null)
                .runs()
                .getLast()
                .expectedStart();
    }

    private static Row waits(String id, @Nullable Double reckoned, @Nullable Double most) {
        return new Row(id, id, RunState.QUEUED, RunPriority.NORMAL, NOW, null, null, reckoned, most);
    }

    private static Row held(@Nullable Instant said, long startedSeconds, double reckoned) {
        return new Row(
                "held",
                "held",
                RunState.RUNNING,
                RunPriority.NORMAL,
                NOW.minusSeconds(9999),
                NOW.plusSeconds(startedSeconds),
                said,
                reckoned,
                reckoned);
    }
}
