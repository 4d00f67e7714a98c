package dev.loomboard.trial;

import dev.loomboard.catalog.Metrics;
import dev.loomboard.cell.CellIdentity;
import dev.loomboard.cell.Retracted;
import dev.loomboard.measurement.MetricValue;
import dev.loomboard.measurement.StepPercentiles;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** A trial as its first query gives it: what it has many of is still JSON, made by the database. */
record TrialHead(
        long key,
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
        JsonNode phases,
        JsonNode steps,
        JsonNode metrics,
        JsonNode cellTrials,
        @Nullable Retracted retracted) {

    private static final double SECOND = 1e9;

    TrialDetail detail(List<TrialDetail.Window> windows, List<SampleSeries> samples) {
        return new TrialDetail(
                id,
                workspace,
                run,
                runTitle,
                cell,
                kind,
                ordinal,
                state,
                phase,
                validity,
                reason,
                late,
                startedAt,
                finishedAt,
                skewNanos,
                setup,
                serverDigest,
                fingerprintHash,
                agentVersion,
                startFacts,
                endFacts,
                phases.valueStream()
                        .map(p -> new TrialDetail.PhaseEntry(
                                p.path("phase").asString(), p.path("atNs").asLong() / SECOND))
                        .toList(),
                steps.valueStream().map(TrialHead::step).toList(),
                windows,
                samples,
                metricValues(),
                contention(),
                siblings(),
                retracted);
    }

    private static TrialDetail.Step step(JsonNode s) {
        return new TrialDetail.Step(
                s.path("ordinal").asInt(),
                s.path("rate").isNumber() ? s.path("rate").asDouble() : null,
                s.path("connections").isNumber() ? s.path("connections").asInt() : null,
                sentBy(textOrNull(s.path("transport")), textOrNull(s.path("http"))),
                s.path("startNs").asLong() / SECOND,
                s.path("endNs").asLong() / SECOND,
                s.path("offered").asLong(),
                s.path("sent").asLong(),
                s.path("completed").asLong(),
                s.path("failed").asLong(),
                s.path("unfinished").asLong(),
                s.path("validity").asString(),
                textOrNull(s.path("reason")),
                textOrNull(s.path("cause")),
                s.path("health"),
                s.path("outcomes"),
                new StepPercentiles(
                        percentiles(s.path("percentiles").path("response")),
                        percentiles(s.path("percentiles").path("service"))));
    }

    private static @Nullable String sentBy(@Nullable String transport, @Nullable String http) {
        return transport == null || http == null
                ? null
                : (transport.equals("lean") ? "the agent's lean transport" : "the standard client of Go") + ", HTTP/"
                        + http;
    }

    /** Empty until the trial has ended. */
    private static Map<String, StepPercentiles.Value> percentiles(JsonNode kind) {
        Map<String, StepPercentiles.Value> values = new LinkedHashMap<>();
        for (Map.Entry<String, JsonNode> entry : kind.properties()) {
            JsonNode v = entry.getValue();
            values.put(
                    entry.getKey(),
                    new StepPercentiles.Value(
                            v.path("nanos").asLong(), v.path("eligible").asBoolean(), textOrNull(v.path("reason"))));
        }
        return values;
    }

    private Map<String, MetricValue> metricValues() {
        Map<String, MetricValue> values = new LinkedHashMap<>();
        Metrics.all().list().forEach(metric -> {
            JsonNode v = metrics.path(metric.name());
            if (v.isObject()) {
                values.put(
                        metric.name(),
                        new MetricValue(
                                v.path("value").asDouble(),
                                v.path("eligible").asBoolean(),
                                textOrNull(v.path("reason"))));
            }
        });
        return values;
    }

    /** This trial's own, else that of the newest trial of the cell that counted; a trial's word that it did not is no zero. */
    private TrialDetail.@Nullable Contention contention() {
        TrialDetail.Contention newest = null;
        for (JsonNode trial : cellTrials) {
            JsonNode counted = trial.path("contention");
            boolean usable = counted.isObject() && !trial.path("late").asBoolean();
            boolean own = trial.path("id").asString().equals(id);
            if (own ? counted.isObject() : usable) {
                newest = new TrialDetail.Contention(
                        trial.path("id").asString(),
                        counted.path("source").asString(),
                        counted.path("monitorTotal").asLong(),
                        counted.path("monitorVirtual").isNumber()
                                ? counted.path("monitorVirtual").asLong()
                                : null,
                        trial.path("requests").asLong());
                if (own) {
                    return newest;
                }
            }
        }
        return newest;
    }

    private List<TrialDetail.Sibling> siblings() {
        List<TrialDetail.Sibling> others = new ArrayList<>();
        for (JsonNode trial : cellTrials) {
            if (!trial.path("id").asString().equals(id)) {
                others.add(new TrialDetail.Sibling(
                        trial.path("id").asString(),
                        trial.path("kind").asString(),
                        trial.path("ordinal").asInt(),
                        trial.path("state").asString(),
                        textOrNull(trial.path("validity")),
                        trial.path("late").asBoolean()));
            }
        }
        return others;
    }

    private static @Nullable String textOrNull(JsonNode node) {
        return node.isString() ? node.asString() : null;
    }
}
