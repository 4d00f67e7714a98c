package dev.loomboard.run;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.loomboard.cell.DatabaseDelay;
import dev.loomboard.cell.Limits;
import dev.loomboard.cell.Load;
import dev.loomboard.cell.TrialKind;
import dev.loomboard.matrix.Phases;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The wire's Assignment: a leased run with the trials that are still to be made, in order. */
record Assignment(
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
     * @param jdk the name by which the machine's agent knows the build
     * @param delay of the server's database; null: no proxy stands between
     * @param limits null: none
     */
    record PlannedTrial(
            String trialId,
            String cellId,
            TrialKind kind,
            int ordinal,
            int position,
            String server,
            String variant,
            String jdk,
            String workload,
            int workloadVersion,
            Map<String, Object> params,
            Load load,

            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            DatabaseDelay delay,

            String collector,

            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            Limits limits) {}
}
