package dev.loomboard.matrix;

import dev.loomboard.catalog.Limits;
import dev.loomboard.jdk.JdkBuild;
import java.util.List;
import java.util.Map;

/**
 * One point of an expanded matrix.
 *
 * @param ordinal place in the matrix, from 0
 * @param params the workload's defaults with the scenario's own laid over them
 * @param declaredDelayMs what the workload itself waits; response excess = response − this
 * @param scenarioKey as {@link Canonical#scenarioKey}
 */
public record Cell(
        int ordinal,
        String server,
        String variant,
        String concurrencyModel,
        String workload,
        int workloadVersion,
        Map<String, Object> params,
        double declaredDelayMs,
        Load load,
        String scenarioKey,
        String collector,
        Limits limits,
        List<String> jvmOptions,
        JdkBuild jdk) {

    public Cell {
        params = Map.copyOf(params);
        jvmOptions = List.copyOf(jvmOptions);
    }
}
