package dev.loomboard.matrix;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.loomboard.cell.DatabaseDelay;
import dev.loomboard.cell.Load;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a trial sends: a workload with its parameters, and a load. Its JSON is a part of the wire's PlannedTrial.
 *
 * @param key as {@link dev.loomboard.cell.CanonicalText#scenarioKey}
 * @param params the workload's defaults with the scenario's own laid over them
 * @param delay of the server's database; null: no proxy stands between
 */
public record PlannedScenario(
        @JsonIgnore String key,
        String workload,
        @JsonProperty("workloadVersion") int version,
        Map<String, Object> params,
        Load load,

        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable DatabaseDelay delay) {

    public PlannedScenario {
        params = Map.copyOf(params);
    }
}
