package dev.loomboard.limits;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.HashMap;
import java.util.Map;

/**
 * How many bytes answers that were made whole may have until they are taken: an eighth of the heap, half of that for one
 * caller. Where there is not enough left, an answer is refused.
 */
final class AnswerMemory {

    private final long most;
    private final long mostOfOne;
    private final Map<String, Long> held = new HashMap<>();
    private long all;
    private long refused;

    private AnswerMemory(long most) {
        this.most = most;
        this.mostOfOne = most / 2;
    }

    static AnswerMemory ofHeap(long bytes) {
        return new AnswerMemory(bytes / 8);
    }

    /** Shows an operator how much is held, and how often there was no room. */
    void show(MeterRegistry registry) {
        Gauge.builder("loomboard.answer.memory.used", this, AnswerMemory::used)
                .description("Bytes of large answers that are not taken yet")
                .baseUnit("bytes")
                .register(registry);
        Gauge.builder("loomboard.answer.memory.max", this, memory -> memory.most)
                .description("Bytes that these may have together")
                .baseUnit("bytes")
                .register(registry);
        FunctionCounter.builder("loomboard.answer.memory.refused", this, AnswerMemory::refused)
                .description("Large answers that were refused because there was no room")
                .register(registry);
    }

    /**
     * Takes room for one answer. Who holds none may have one of any size that there is room for, and even the largest is
     * possible while nobody holds any.
     *
     * @param who the caller
     * @return false: there is no room
     */
    synchronized boolean take(String who, long bytes) {
        long own = held.getOrDefault(who, 0L);
        boolean room = (own == 0 || own + bytes <= mostOfOne) && (all == 0 || all + bytes <= most);
        if (room) {
            held.put(who, own + bytes);
            all += bytes;
        } else {
            refused++;
        }
        return room;
    }

    synchronized void giveBack(String who, long bytes) {
        held.computeIfPresent(who, (same, own) -> own == bytes ? null : own - bytes);
        all -= bytes;
    }

    private synchronized long used() {
        return all;
    }

    private synchronized long refused() {
        return refused;
    }
}
