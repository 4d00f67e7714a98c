package dev.loomboard.run;

import dev.loomboard.cell.DatabaseDelay;
import dev.loomboard.cell.Limits;
import dev.loomboard.cell.Load;
import dev.loomboard.matrix.TrialPlan;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A cell of a queued run, as planning needs it. */
record StoredCell(
        long key,
        String id,
        String server,
        String variant,
        String workload,
        int workloadVersion,
        Map<String, Object> params,
        Load load,
        String scenarioKey,
        String collector,
        Limits limits,
        @Nullable DatabaseDelay delay,
        String agentJdk) {

    String group() {
        return TrialPlan.group(server, variant, scenarioKey, collector, limits);
    }
}
