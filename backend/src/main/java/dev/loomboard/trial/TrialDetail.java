package dev.loomboard.trial;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.loomboard.cell.CellIdentity;
import dev.loomboard.cell.Imported;
import dev.loomboard.cell.TrialKind;
import dev.loomboard.cell.TrialState;
import dev.loomboard.measurement.Phase;
import dev.loomboard.measurement.SentBy;
import dev.loomboard.measurement.Step.Health;
import dev.loomboard.measurement.StoredJson.Document;
import dev.loomboard.measurement.TrialEnd;
import dev.loomboard.measurement.TrialStart;
import dev.loomboard.measurement.Validity;
import dev.loomboard.retracted.Retracted;
import dev.loomboard.rollup.MetricValue;
import dev.loomboard.rollup.StepPercentiles;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * All that the page of a trial shows; its JSON is flat. Times are seconds from the trial's start unless they are instants.
 *
 * @param id external id, trl_…
 * @param cell external id
 * @param contention of this trial when it is diagnostic, else of its cell's newest diagnostic trial
 * @param siblings the other trials of the cell, in order of execution
 * @param retracted null: the versions it was measured with stand
 */
public record TrialDetail(
        String id,
        @JsonUnwrapped RunRef run,
        String cell,
        @JsonUnwrapped Status status,
        CellIdentity setup,
        @JsonUnwrapped Facts facts,
        @JsonUnwrapped Measured measured,
        @Nullable Contention contention,
        List<Sibling> siblings,
        @Nullable Retracted retracted) {

    /**
     * @param id external id
     * @param imported null: it was measured here
     */
    public record RunRef(
            String workspace,
            @JsonProperty("run") String id,
            @JsonProperty("runTitle") String title,
            @Nullable Imported imported) {}

    /**
     * @param ordinal which trial of its cell and kind, from 1
     * @param validity null before any step
     * @param reason why it failed, was aborted, or is not valid
     * @param skewNanos the agent's clock minus the service's
     */
    public record Status(
            TrialKind kind,
            int ordinal,
            TrialState state,
            @Nullable Phase phase,
            @Nullable Validity validity,
            @Nullable String reason,
            boolean late,
            @Nullable Instant startedAt,
            @Nullable Instant finishedAt,
            @Nullable Long skewNanos) {}

    /**
     * What the agent said of the trial.
     *
     * @param startFacts an empty object before the first batch
     * @param endFacts an empty object before the last batch
     */
    public record Facts(
            @Nullable String serverDigest,
            @Nullable String fingerprintHash,
            @Nullable String agentVersion,
            Document<TrialStart> startFacts,
            Document<TrialEnd> endFacts) {}

    /**
     * @param samplesRemovedAt when its raw samples were removed because of their age; null: they are there, or were not measured
     * @param metrics by name, in the catalogue's order; a metric that is absent was not measured
     */
    public record Measured(
            List<PhaseEntry> phases,
            List<Step> steps,
            List<Window> windows,
            List<SampleSeries> samples,
            @Nullable Instant samplesRemovedAt,
            Map<String, MetricValue> metrics) {}

    /** @param seconds when it was entered */
    public record PhaseEntry(Phase phase, double seconds) {}

    /**
     * One measured attack at one rate, or closed with a number of connections.
     *
     * @param rate null: a closed load, which has none
     * @param connections null: an open load
     * @param transport null: its agent did not say
     * @param judged by the load generator of its own health
     * @param health of the generator, the wire's Step.health as it was sent
     * @param outcomes status codes, errors, bytes: the wire's Step.outcomes as it was sent
     * @param percentiles empty until the trial has ended
     */
    public record Step(
            int ordinal,
            @Nullable Double rate,
            @Nullable Integer connections,

            @JsonProperty(access = JsonProperty.Access.WRITE_ONLY) @Nullable
            SentBy transport,

            double startSeconds,
            double endSeconds,
            @JsonUnwrapped Hits hits,
            @JsonUnwrapped Judged judged,
            JsonNode health,
            JsonNode outcomes,
            StepPercentiles percentiles) {

        /** Transport and version of HTTP in words. */
        @JsonProperty
        public @Nullable String sentBy() {
            return transport == null ? null : transport.words();
        }

        public Health generator() {
            return Document.of(health, Health.class).read();
        }

        public Validity validity() {
            return judged.validity();
        }
    }

    /**
     * @param completed hits answered with success
     * @param unfinished hits without an answer when the generator gave up
     */
    public record Hits(long offered, long sent, long completed, long failed, long unfinished) {}

    /** @param cause such as "server saturated" */
    public record Judged(
            Validity validity,
            @Nullable String reason,
            @Nullable String cause) {}

    /**
     * One second of load, by intended send time (of a closed load, by actual send); a failure is slower than any answer.
     *
     * @param merged seconds that it stands for: 1, or more when thinned; then it has their sums and highest percentiles
     * @param phase warmup, rewarm or measure; of the first
     * @param responseP50Ms null: no hit, a closed load, or too many hits failed; the others are null for the same reasons
     */
    public record Window(
            double seconds,
            int merged,
            Phase phase,
            int step,
            long intended,
            long sent,
            long completed,
            long failed,
            @Nullable Double responseP50Ms,
            @Nullable Double responseP99Ms,
            @Nullable Double serviceP50Ms,
            @Nullable Double serviceP99Ms) {}

    /**
     * Contended monitor enters over the measured steps.
     *
     * @param trial the diagnostic trial they were counted in
     * @param requests hits answered in its measured steps
     * @param byVirtualThreads null: not told apart
     */
    public record Contention(
            String trial,
            TrialEnd.Source source,
            long total,
            @Nullable Long byVirtualThreads,
            long requests) {}

    /**
     * A trial of the cell.
     *
     * @param contention that its agent counted; null: it did not
     * @param requests hits answered in its measured steps
     */
    public record Sibling(
            String id,
            TrialKind kind,
            int ordinal,
            TrialState state,
            @Nullable Validity validity,
            boolean late,

            @JsonProperty(access = JsonProperty.Access.WRITE_ONLY)
            TrialEnd.@Nullable Contention contention,

            @JsonProperty(access = JsonProperty.Access.WRITE_ONLY)
            long requests) {}
}
