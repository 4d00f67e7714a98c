package dev.loomboard.run;

import dev.loomboard.cell.Limits;
import dev.loomboard.matrix.PlannedScenario;
import dev.loomboard.matrix.TrialPlan;

/**
 * A cell of a queued run, as planning needs it.
 *
 * @param key internal key
 * @param scored trials that it has
 * @param agentJdk the name by which the machine's agent knows the build
 */
record StoredCell(
        long key,
        String id,
        String server,
        String variant,
        PlannedScenario scenario,
        String collector,
        Limits limits,
        int scored,
        String agentJdk) {

    String group() {
        return TrialPlan.group(server, variant, scenario.key(), collector, limits);
    }
}
