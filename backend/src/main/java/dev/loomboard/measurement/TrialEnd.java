package dev.loomboard.measurement;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What a trial's last batch says of it. Its JSON is the wire's TrialEnd.
 *
 * @param batches how many the trial has, this one included
 * @param startupMs start of the process to the first ready answer; null: it never answered
 * @param steady of adaptive phases; null: they had fixed times
 * @param search null: the load was none
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
        @Nullable SearchEnd search,
        Map<String, String> flags,
        Map<String, @Nullable Double> noise,
        Map<String, String> missing) {

    public TrialEnd {
        Check.present("outcome", outcome);
        Check.optional("reason", reason, 4000);
        Check.between("batches", batches, 1, Batch.MOST_BATCHES);
        Check.finiteOrNull("startupMs", startupMs);
        Check.names("phaseSeconds", Check.present("phaseSeconds", phaseSeconds));
        phaseSeconds.forEach((phase, seconds) ->
                Check.finite("phaseSeconds." + phase, Check.present("phaseSeconds." + phase, seconds)));
        gcProof = Check.list("gcProof", gcProof, 1000);
        attribution = attribution == null ? null : Check.list("attribution", attribution, 1000);
        flags = Check.texts("flags", flags);
        noise = noise == null ? Map.of() : noise;
        Check.names("noise", noise);
        noise.forEach((name, value) -> Check.finiteOrNull("noise." + name, value));
        missing = Check.texts("missing", Check.present("missing", missing));
    }

    public enum Outcome {
        @JsonProperty("done")
        DONE,
        @JsonProperty("failed")
        FAILED,
        @JsonProperty("aborted")
        ABORTED;

        /** As the wire and {@code trial.state} write it. */
        public String wire() {
            return name().toLowerCase(Locale.ROOT);
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
            @Nullable String cause) {
        public GcProof {
            Check.text("collector", collector, 200);
            Check.optional("cause", cause, 200);
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
            Map<String, Long> byOperation) {
        public Safepoints {
            byOperation = Check.counts("byOperation", byOperation);
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
            @Nullable Long allocatedOverNs) {
        public Collections {
            Check.notNegative("count", count);
            Check.notNegative("pauses", pauses);
            Check.notNegative("pauseNs", pauseNs);
            byCause = byCause == null ? Map.of() : byCause;
            Check.names("byCause", byCause);
            byCause.forEach((cause, told) -> Check.present("byCause." + cause, told));
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
            @Nullable Double clockGHzAfter) {
        public JvmFacts {
            Check.optional("clockSource", clockSource, 60);
            Check.finiteOrNull("clockGHzBefore", clockGHzBefore);
            Check.finiteOrNull("clockGHzAfter", clockGHzAfter);
        }
    }

    /**
     * What held the hits of a step beyond its 99th percentile.
     *
     * @param boundaryNs response p99; @param typicalNs response p50
     * @param beyond hits beyond the boundary; @param examined of these, those that were kept one by one
     * @param causes examined hits by cause; a cause that was not looked at is absent
     */
    public record Attribution(
            int step, long boundaryNs, long typicalNs, long beyond, long examined, Map<String, Long> causes) {
        public Attribution {
            Check.notNegative("step", step);
            Check.notNegative("boundaryNs", boundaryNs);
            Check.between("typicalNs", typicalNs, 0, boundaryNs);
            Check.notNegative("beyond", beyond);
            Check.notNegative("examined", examined);
            causes = Check.counts("causes", Check.present("causes", causes));
            for (Map.Entry<String, Long> cause : causes.entrySet()) {
                Check.matching("causes", cause.getKey(), CAUSE);
                Check.notNegative("causes." + cause.getKey(), cause.getValue());
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
            Source source, long monitorTotal, @Nullable Long monitorVirtual) {
        public Contention {
            Check.present("source", source);
        }
    }

    public enum Source {
        @JsonProperty("jvmti")
        JVMTI,
        @JsonProperty("hsperfdata")
        HSPERFDATA
    }
}
