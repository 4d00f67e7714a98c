package dev.loomboard.artefact;

import dev.loomboard.kernel.FieldChecks;
import dev.loomboard.kernel.WireName;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a recording says of a diagnostic trial's measured steps. Its JSON is the wire's Diagnosis.
 *
 * @param threadsStarted by kind: platform, virtual
 * @param lostBytes that the recorder could not keep
 * @param unseen what this JDK does not show → why
 */
public record Diagnosis(
        String schema,
        Cpu cpu,
        List<Contention> contention,
        List<Pinned> pinned,
        List<Collections> collections,
        List<Stop> safepoints,
        Map<String, Long> threadsStarted,
        long lostBytes,
        Map<String, String> unseen) {

    static final String SCHEMA = "loomboard.diagnosis/1";

    private static final int MOST_ROWS = 1000;
    private static final int LONGEST_NAME = 4000;

    public Diagnosis {
        FieldChecks.oneOf("schema", schema, List.of(SCHEMA));
        FieldChecks.present("cpu", cpu);
        contention = FieldChecks.list("contention", contention, MOST_ROWS);
        pinned = FieldChecks.list("pinned", pinned, MOST_ROWS);
        collections = FieldChecks.list("collections", collections, MOST_ROWS);
        safepoints = FieldChecks.list("safepoints", safepoints, MOST_ROWS);
        FieldChecks.present("threadsStarted", threadsStarted)
                .values()
                .forEach(n -> notNegative("threadsStarted", FieldChecks.present("threadsStarted", n)));
        notNegative("lostBytes", lostBytes);
        FieldChecks.present("unseen", unseen).values().forEach(why -> FieldChecks.text("unseen", why, LONGEST_NAME));
        threadsStarted = Map.copyOf(threadsStarted);
        unseen = Map.copyOf(unseen);
    }

    /**
     * @param truncated stacks that were deeper than recorded
     * @param workload null: the server does not name the workload's method
     * @param height null: there are no samples
     * @param hottest most samples on top of the stack first
     */
    public record Cpu(
            long periodNs,
            long samples,
            long truncated,
            @Nullable Workload workload,
            @Nullable Height height,
            List<Frame> hottest) {
        public Cpu {
            notNegative("periodNs", periodNs);
            notNegative("samples", samples);
            notNegative("truncated", truncated);
            hottest = FieldChecks.list("hottest", hottest, MOST_ROWS);
        }
    }

    /**
     * @param shareOfSamples null: there are no samples
     * @param shareOfCpu samples × period ÷ CPU time of the process; null: that was not recorded
     */
    public record Workload(
            String method,
            long samples,
            @Nullable Double shareOfSamples,
            @Nullable Double shareOfCpu) {
        public Workload {
            FieldChecks.text("method", method, LONGEST_NAME);
            notNegative("samples", samples);
            finite("shareOfSamples", shareOfSamples);
            finite("shareOfCpu", shareOfCpu);
        }
    }

    /** Frames of the stacks in the workload's method, or of all stacks when none is in it. */
    public record Height(boolean inWorkload, int p50, int max) {
        public Height {
            notNegative("p50", p50);
            notNegative("max", max);
        }
    }

    /**
     * @param self samples on top of the stack
     * @param total samples anywhere on it
     */
    public record Frame(String name, long self, long total) {
        public Frame {
            FieldChecks.text("name", name, LONGEST_NAME);
            notNegative("self", self);
            notNegative("total", total);
        }
    }

    /** How a thread came to wait. */
    public enum Wait implements WireName {
        ENTER("entered a monitor"),
        ACQUIRE("acquired a lock"),
        PARK("parked for a lock"),
        WAIT("Object.wait");

        private final String words;

        Wait(String words) {
            this.words = words;
        }
    }

    public enum ThreadKind implements WireName {
        PLATFORM,
        VIRTUAL
    }

    /** Who waited for what. */
    public record Contention(
            Wait how,
            ThreadKind thread,

            @com.fasterxml.jackson.annotation.JsonProperty("class")
            String type,

            long count,
            long totalNs,
            long longestNs) {

        public Contention {
            FieldChecks.present("how", how);
            FieldChecks.present("thread", thread);
            FieldChecks.text("class", type, LONGEST_NAME);
            durations(count, totalNs, longestNs);
        }

        public String words() {
            return how.words;
        }
    }

    /** @param reason empty on JDKs that do not say */
    public record Pinned(String reason, long count, long totalNs, long longestNs) {
        public Pinned {
            FieldChecks.present("reason", reason);
            durations(count, totalNs, longestNs);
        }
    }

    /** Collections by one collector for one cause; durations are of their pauses. */
    public record Collections(String name, String cause, long count, long totalNs, long longestNs) {
        public Collections {
            FieldChecks.text("name", name, LONGEST_NAME);
            FieldChecks.text("cause", cause, LONGEST_NAME);
            durations(count, totalNs, longestNs);
        }
    }

    /** @param reachingNs of the total, until all threads stood */
    public record Stop(String operation, long count, long totalNs, long longestNs, long reachingNs) {
        public Stop {
            FieldChecks.text("operation", operation, LONGEST_NAME);
            durations(count, totalNs, longestNs);
            notNegative("reachingNs", reachingNs);
        }
    }

    private static void durations(long count, long totalNs, long longestNs) {
        notNegative("count", count);
        notNegative("totalNs", totalNs);
        notNegative("longestNs", longestNs);
    }

    private static void notNegative(String field, long value) {
        if (value < 0) {
            throw new IllegalArgumentException(field + " must not be negative, is: " + value);
        }
    }

    /** JSON has no NaN, but its reader makes 1e999 infinite. */
    private static void finite(String field, @Nullable Double value) {
        if (value != null && !Double.isFinite(value)) {
            throw new IllegalArgumentException(field + " must be a finite number");
        }
    }
}
