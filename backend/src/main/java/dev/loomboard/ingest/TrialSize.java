package dev.loomboard.ingest;

import dev.loomboard.measurement.Batch;
import dev.loomboard.measurement.Ticks;
import dev.loomboard.web.Problem;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * How much a trial, or one batch, has stored. A trial's roll-up holds all of it and its page reads all of it, so a trial
 * may have only so much; the wire contract states how much.
 *
 * @param facts bytes of JSON: of start, end, and health and outcomes of steps
 * @param bytes unpacked
 */
record TrialSize(long ticks, long windows, long steps, long phases, long facts, long bytes) {

    private static final long MIB = 1024 * 1024;

    /** Fourteen hours of a tick, and of a second of load, per second. */
    static final TrialSize MOST = new TrialSize(50_000, 50_000, 500, 5_000, 4 * MIB, 128 * MIB);

    static TrialSize of(Batch batch, long facts, long bytes) {
        Ticks ticks = batch.ticks();
        return new TrialSize(
                ticks == null ? 0 : ticks.atNs().size(),
                batch.windows().size(),
                batch.steps().size(),
                batch.phases().size(),
                facts,
                bytes);
    }

    TrialSize plus(TrialSize more) {
        return new TrialSize(
                ticks + more.ticks,
                windows + more.windows,
                steps + more.steps,
                phases + more.phases,
                facts + more.facts,
                bytes + more.bytes);
    }

    /** Why no trial may have as much; null: it may. */
    @Nullable
    Problem excess() {
        return firstOf(
                excess("ticks", "ticks", ticks, MOST.ticks),
                excess("windows", "windows", windows, MOST.windows),
                excess("steps", "steps", steps, MOST.steps),
                excess("phases", "entries", phases, MOST.phases),
                excess("(body)", "bytes of facts (start, end, and health and outcomes of steps)", facts, MOST.facts),
                excess("(body)", "bytes unpacked", bytes, MOST.bytes));
    }

    private static @Nullable Problem firstOf(@Nullable Problem... problems) {
        for (Problem problem : problems) {
            if (problem != null) {
                return problem;
            }
        }
        return null;
    }

    private static @Nullable Problem excess(String field, String what, long has, long most) {
        return has <= most
                ? null
                : Problem.invalid(
                        field,
                        String.format(
                                Locale.ROOT,
                                "is too much: with it the trial would have %d %s, a trial may have %d at most",
                                has,
                                what,
                                most));
    }
}
