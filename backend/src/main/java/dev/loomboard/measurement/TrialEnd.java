package dev.loomboard.measurement;

import dev.loomboard.kernel.FieldChecks;
import dev.loomboard.kernel.WireName;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What a trial's last batch says of it. Its JSON is the wire's TrialEnd.
 *
 * @param batches how many the trial has, this one included
 * @param startupMs start of the process to the first ready answer; null: it never answered
 * @param steady of adaptive phases; null: they had fixed times
 * @param warmth one per measured step; null: its agent did not judge it, or the load was a batch, which is cold by definition
 * @param search null: the load was none
 * @param failure null: it did not fail, or its agent did not say where
 * @param missing what was not measured → why
 */
public record TrialEnd(
        Outcome outcome,
        @Nullable String reason,
        int batches,
        @Nullable Double startupMs,
        Map<String, Double> phaseSeconds,
        List<GcProof> gcProof,
        @Nullable Safepoints safepoints,
        @Nullable Contention contention,
        @Nullable Collections gc,
        @Nullable JvmFacts jvm,
        @Nullable List<Attribution> attribution,
        @Nullable SteadyState steady,
        @Nullable List<Warmth> warmth,
        @Nullable SearchEnd search,
        @Nullable Failure failure,
        Map<String, String> flags,
        Map<String, @Nullable Double> noise,
        Map<String, String> missing)
        implements Checked {

    public TrialEnd {
        gcProof = gcProof == null ? List.of() : gcProof;
        flags = flags == null ? Map.of() : flags;
        noise = noise == null ? Map.of() : noise;
    }

    @Override
    public void check() {
        FieldChecks.present("outcome", outcome);
        FieldChecks.atMostOrNull("reason", reason, 4000);
        FieldChecks.between("batches", batches, 1, Batch.MOST_BATCHES);
        FieldChecks.finite("startupMs", startupMs);
        FieldChecks.names("phaseSeconds", phaseSeconds)
                .forEach((phase, seconds) -> FieldChecks.finite(
                        "phaseSeconds." + phase, FieldChecks.present("phaseSeconds." + phase, seconds)));
        FieldChecks.list("gcProof", gcProof, 1000);
        FieldChecks.listOrNull("attribution", attribution, 1000);
        FieldChecks.listOrNull("warmth", warmth, 1000);
        FieldChecks.texts("flags", flags);
        FieldChecks.names("noise", noise).forEach((name, value) -> FieldChecks.finite("noise." + name, value));
        FieldChecks.texts("missing", missing);
    }

    /** Of a step by its ordinal. */
    public Optional<Warmth> warmthOf(int step) {
        return warmth == null
                ? Optional.empty()
                : warmth.stream().filter(w -> w.step() == step).findFirst();
    }

    public enum Outcome implements WireName {
        DONE,
        FAILED,
        ABORTED
    }

    /**
     * Where and how a failed trial ended.
     *
     * @param exit of its server, such as "exit status 3"; null: it had not ended by itself
     * @param crash what the JVM's crash report says first; null: there is none
     */
    public record Failure(
            Phase phase, @Nullable String exit, @Nullable String crash) implements Checked {
        @Override
        public void check() {
            FieldChecks.present("phase", phase);
            FieldChecks.atMostOrNull("exit", exit, 1000);
            FieldChecks.atMostOrNull("crash", crash, 1000);
        }
    }

    /** @param collector name of the collector whose counter rose from {@code before} to {@code after} */
    public record GcProof(
            long atNs,
            String collector,
            long before,
            long after,
            long tookNs,
            @Nullable Long heapAfterBytes,
            @Nullable String cause)
            implements Checked {
        @Override
        public void check() {
            FieldChecks.atMost("collector", collector, 200);
            FieldChecks.atMostOrNull("cause", cause, 200);
        }
    }

    /** Over the measured steps, from the JVM's log. */
    public record Safepoints(
            long count,
            long stopNs,
            long ttspNs,
            @Nullable Long ttspMaxNs,
            @Nullable Long ttspP99Ns,
            @Nullable Long stopMaxNs,
            Map<String, Long> byOperation)
            implements Checked {
        public Safepoints {
            byOperation = byOperation == null ? Map.of() : byOperation;
        }

        @Override
        public void check() {
            FieldChecks.counts("byOperation", byOperation);
        }
    }

    /**
     * Over the measured steps, from the JVM's log.
     *
     * @param allocatedBytes from the first pause of each step to its last; null: the log does not tell
     */
    public record Collections(
            long count,
            long pauses,
            long pauseNs,
            @Nullable Long pauseMaxNs,
            Map<String, Pauses> byCause,
            @Nullable Long allocatedBytes,
            @Nullable Long allocatedOverNs)
            implements Checked {
        public Collections {
            byCause = byCause == null ? Map.of() : byCause;
        }

        @Override
        public void check() {
            FieldChecks.notNegative("count", count);
            FieldChecks.notNegative("pauses", pauses);
            FieldChecks.notNegative("pauseNs", pauseNs);
            FieldChecks.counts("byCause", byCause);
        }
    }

    /** Pauses of one kind and cause. */
    public record Pauses(long count, long sumNs, long maxNs) {}

    /** What the JVM ran on; null is not known. */
    public record JvmFacts(
            @Nullable Long loadedClasses,
            @Nullable Long archivedClasses,
            @Nullable String clockSource,
            @Nullable Double clockGHzBefore,
            @Nullable Double clockGHzAfter)
            implements Checked {
        @Override
        public void check() {
            FieldChecks.atMostOrNull("clockSource", clockSource, 60);
            FieldChecks.finite("clockGHzBefore", clockGHzBefore);
            FieldChecks.finite("clockGHzAfter", clockGHzAfter);
        }
    }

    /**
     * What held the hits of a step beyond its 99th percentile.
     *
     * @param boundaryNs response p99
     * @param typicalNs response p50
     * @param beyond hits beyond the boundary
     * @param examined of these, those that were kept one by one
     * @param causes examined hits by cause; a cause that was not looked at is absent
     */
    public record Attribution(
            int step, long boundaryNs, long typicalNs, long beyond, long examined, Map<String, Long> causes)
            implements Checked {
        @Override
        public void check() {
            FieldChecks.notNegative("step", step);
            FieldChecks.notNegative("boundaryNs", boundaryNs);
            FieldChecks.between("typicalNs", typicalNs, 0, boundaryNs);
            FieldChecks.notNegative("beyond", beyond);
            FieldChecks.notNegative("examined", examined);
            FieldChecks.counts("causes", causes);
            for (Map.Entry<String, Long> cause : causes.entrySet()) {
                FieldChecks.matching("causes", cause.getKey(), CAUSE);
                FieldChecks.notNegative("causes." + cause.getKey(), cause.getValue());
            }
        }
    }

    private static final Pattern CAUSE =
            Pattern.compile("stolen|throttled|gc|safepoint|lock|backlog|generator|unknown");

    /**
     * Contended monitor enters over the measured steps; diagnostic trials only.
     *
     * @param monitorVirtual by virtual threads; null: not counted
     */
    public record Contention(
            Source source, long monitorTotal, @Nullable Long monitorVirtual) implements Checked {
        @Override
        public void check() {
            FieldChecks.present("source", source);
        }
    }

    public enum Source implements WireName {
        JVMTI,
        HSPERFDATA
    }
}
