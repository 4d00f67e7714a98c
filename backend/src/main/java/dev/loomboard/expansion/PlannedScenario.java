package dev.loomboard.expansion;

import dev.loomboard.scenario.DatabaseDelay;
import dev.loomboard.scenario.Load;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a trial sends: a workload with its parameters, and a load.
 *
 * @param key as {@link dev.loomboard.scenario.CanonicalText#scenarioKey}
 * @param params the workload's defaults with the scenario's own laid over them
 * @param delay of the server's database; null: no proxy stands between
 */
public record PlannedScenario(
        String key,
        String workload,
        int version,
        Map<String, Object> params,
        Load load,
        @Nullable DatabaseDelay delay) {

    public PlannedScenario {
        params = Map.copyOf(params);
    }
}
