package dev.loomboard.runpages;

import dev.loomboard.cell.RunPriority;
import dev.loomboard.machine.MachineQueue;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Where a run that waits stands in its machine's queue.
 *
 * @param before how many go before it, of those that the visitor may see
 * @param expectedStart null: not known
 * @param latestStart if all before it take the most that they may
 * @param obstacle why it is not expected to start, in words; null: it is
 */
public record QueuePlace(
        RunPriority priority,
        int before,
        @Nullable Instant expectedStart,
        @Nullable Instant latestStart,
        @Nullable String obstacle) {

    /** Null: the run does not wait. */
    static @Nullable QueuePlace of(MachineQueue queue, String run) {
        return queue.before(run)
                .map(before -> {
                    MachineQueue.QueuedRun own = queue.runs().get(before);
                    return new QueuePlace(
                            own.priority(), before, own.expectedStart(), own.latestStart(), queue.obstacle());
                })
                .orElse(null);
    }
}
