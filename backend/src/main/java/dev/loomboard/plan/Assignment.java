package dev.loomboard.plan;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.loomboard.cell.Limits;
import dev.loomboard.cell.TrialKind;
import dev.loomboard.matrix.Phases;
import dev.loomboard.scenario.DatabaseDelay;
import dev.loomboard.scenario.Load;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The wire's Assignment: a leased run with the trials that are still to be made, in order. */
public record Assignment(
        String runId,
        long fencing,
        long leaseSeconds,
        long heartbeatSeconds,
        String title,
        String protocol,
        Phases phases,
        int maxWorkers,
        double timeoutSeconds,
        List<String> jvmOptions,
        List<PlannedTrial> trials) {

    /**
     * @param jdk the name by which the machine's agent knows the build; null: the server has no JVM
     * @param collector null: the server has no JVM
     * @param limits null: none
     */
    public record PlannedTrial(
            String trialId,
            String cellId,
            TrialKind kind,
            int ordinal,
            int position,
            String server,
            String variant,

            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            String jdk,

            @JsonUnwrapped Scenario scenario,

            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            String collector,

            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            Limits limits) {}

    /** @param delay of the server's database; null: no proxy stands between */
    record Scenario(
            String workload,
            int workloadVersion,
            Map<String, Object> params,
            Load load,

            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            DatabaseDelay delay) {}
}
