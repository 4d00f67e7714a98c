package dev.loomboard.plan;

import dev.loomboard.cell.Limits;
import dev.loomboard.expansion.PlannedScenario;
import dev.loomboard.expansion.TrialPlan;
import org.jspecify.annotations.Nullable;

/**
 * A cell of a queued run, as planning needs it.
 *
 * @param key internal key
 * @param scored trials that it has
 * @param agentJdk the name by which the machine's agent knows the build; null: the server has no JVM
 */
public record StoredCell(
        long key,
        String id,
        String server,
        String variant,
        PlannedScenario scenario,
        String collector,
        Limits limits,
        int scored,
        @Nullable String agentJdk) {

    String group() {
        return TrialPlan.group(server, variant, scenario.key(), collector, limits);
    }
}
