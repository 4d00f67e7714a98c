package dev.loomboard.trial;

import dev.loomboard.cell.CellIdentity;
import dev.loomboard.cell.Retracted;
import dev.loomboard.measurement.MetricValue;
import dev.loomboard.measurement.StepPercentiles;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * All that the page of a trial shows. Times are seconds from the trial's start unless they are instants.
 *
 * @param id external id, trl_…; @param run external id; @param cell external id
 * @param kind scored or diagnostic
 * @param ordinal which trial of its cell and kind, from 1
 * @param validity valid, suspect, invalid; null before any step
 * @param reason why it failed, was aborted, or is not valid
 * @param skewNanos the agent's clock minus the service's
 * @param startFacts the wire's TrialStart; empty object before the first batch
 * @param endFacts the wire's TrialEnd; empty object before the last batch
 * @param metrics by name, in the catalogue's order; a metric that is absent was not measured
 * @param contention of this trial when it is diagnostic, else of its cell's newest diagnostic trial
 * @param siblings the other trials of the cell, in order of execution
 * @param retracted null: the versions it was measured with stand
 */
public record TrialDetail(
        String id,
        String workspace,
        String run,
        String runTitle,
        String cell,
        String kind,
        int ordinal,
        String state,
        @Nullable String phase,
        @Nullable String validity,
        @Nullable String reason,
        boolean late,
        @Nullable Instant startedAt,
        @Nullable Instant finishedAt,
        @Nullable Long skewNanos,
        CellIdentity setup,
        @Nullable String serverDigest,
        @Nullable String fingerprintHash,
        @Nullable String agentVersion,
        JsonNode startFacts,
        JsonNode endFacts,
        List<PhaseEntry> phases,
        List<Step> steps,
        List<Window> windows,
        List<SampleSeries> samples,
        Map<String, MetricValue> metrics,
        @Nullable Contention contention,
        List<Sibling> siblings,
        @Nullable Retracted retracted) {

    /** @param seconds when it was entered */
    public record PhaseEntry(String phase, double seconds) {}

    /**
     * One measured attack at one rate, or closed with so many connections.
     *
     * @param rate null: a closed load, which has none; @param connections null: an open load
     * @param sentBy transport and version of HTTP in words; null: its agent did not say
     * @param completed hits answered with success; @param unfinished hits without an answer when the generator gave up
     * @param cause such as "server saturated"
     * @param health of the generator, the wire's Step.health
     * @param outcomes status codes, errors, bytes: the wire's Step.outcomes
     */
    public record Step(
            int ordinal,
            @Nullable Double rate,
            @Nullable Integer connections,
            @Nullable String sentBy,
            double startSeconds,
            double endSeconds,
            long offered,
            long sent,
            long completed,
            long failed,
            long unfinished,
            String validity,
            @Nullable String reason,
            @Nullable String cause,
            JsonNode health,
            JsonNode outcomes,
            StepPercentiles percentiles) {}

    /**
     * One second of load, by intended send time (of a closed load, by actual send); successes and failures merged.
     *
     * @param phase warmup, rewarm or measure
     * @param responseP50Ms null: no hit, or a closed load
     */
    public record Window(
            double seconds,
            String phase,
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
     * @param source jvmti or hsperfdata
     * @param byVirtualThreads null: not told apart
     */
    public record Contention(
            String trial,
            String source,
            long total,
            @Nullable Long byVirtualThreads,
            long requests) {}

    public record Sibling(
            String id,
            String kind,
            int ordinal,
            String state,
            @Nullable String validity,
            boolean late) {}
}
