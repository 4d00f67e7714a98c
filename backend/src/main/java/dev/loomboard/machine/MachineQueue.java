package dev.loomboard.machine;

import dev.loomboard.cell.RunPriority;
import dev.loomboard.cell.RunState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The runs of a machine that are not over, in the order in which it takes them.
 *
 * @param runs that a visitor may see
 * @param obstacle why none is expected to start, in words; null: they are
 */
public record MachineQueue(List<QueuedRun> runs, @Nullable String obstacle) {

    public MachineQueue {
        runs = List.copyOf(runs);
    }

    /**
     * @param id external id
     * @param reckonedSeconds by the machine's last trials of the protocol; null: not known
     * @param mostSeconds that its trials take, roughly; null: not known
     * @param expectedStart null: it has begun, or that is not known
     * @param latestStart if all before it take the most that they may
     */
    public record QueuedRun(
            String id,
            String title,
            RunState state,
            RunPriority priority,
            Instant createdAt,
            @Nullable Double reckonedSeconds,
            @Nullable Double mostSeconds,
            @Nullable Instant expectedStart,
            @Nullable Instant latestStart) {

        public boolean waits() {
            return state == RunState.QUEUED;
        }
    }

    /** @param expectedEnd as its agent said last; null: it has not said */
    record Row(
            String id,
            String title,
            RunState state,
            RunPriority priority,
            Instant createdAt,
            @Nullable Instant startedAt,
            @Nullable Instant expectedEnd,
            @Nullable Double reckonedSeconds,
            @Nullable Double mostSeconds) {}

    /**
     * @param rows all of the machine, the one that it holds first, then as it takes them
     * @param obstacle why it takes none; null: it does
     */
    static MachineQueue of(List<Row> rows, Instant now, @Nullable String obstacle) {
        List<QueuedRun> runs = new ArrayList<>();
        Instant expected = obstacle == null ? now : null;
        Instant latest = expected;
        for (Row row : rows) {
            boolean waits = row.state() == RunState.QUEUED;
            Double reckoned = row.reckonedSeconds() == null ? row.mostSeconds() : row.reckonedSeconds();
            runs.add(new QueuedRun(
                    row.id(),
                    row.title(),
                    row.state(),
                    row.priority(),
                    row.createdAt(),
                    reckoned,
                    row.mostSeconds(),
                    waits ? expected : null,
                    waits ? latest : null));
            expected = end(row, expected, reckoned, now);
            latest = later(end(row, latest, row.mostSeconds(), now), expected);
        }
        return new MachineQueue(runs, obstacle);
    }

    /** When it is over; null: not known. */
    private static @Nullable Instant end(Row row, @Nullable Instant start, @Nullable Double seconds, Instant now) {
        Instant begun = row.state() == RunState.QUEUED ? start : row.startedAt();
        Instant said = row.expectedEnd();
        if (start == null || begun == null) {
            return null;
        }
        if (row.state() != RunState.QUEUED && said != null) {
            return said.isAfter(now) ? said : now;
        }
        if (seconds == null) {
            return null;
        }
        Instant end = begun.plusMillis(Math.round(1000 * seconds));
        return end.isAfter(now) ? end : now;
    }

    private static @Nullable Instant later(@Nullable Instant latest, @Nullable Instant expected) {
        return latest == null || expected == null || latest.isAfter(expected) ? latest : expected;
    }

    /** How many others go before a run that waits; empty: it does not wait here. */
    public Optional<Integer> before(String id) {
        for (int i = 0; i < runs.size(); i++) {
            if (runs.get(i).id().equals(id) && runs.get(i).waits()) {
                return Optional.of(i);
            }
        }
        return Optional.empty();
    }
}
