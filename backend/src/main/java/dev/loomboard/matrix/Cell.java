package dev.loomboard.matrix;

import dev.loomboard.cell.DatabaseDelay;
import dev.loomboard.cell.Limits;
import dev.loomboard.cell.Load;
import dev.loomboard.jdk.JdkBuild;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One point of an expanded matrix.
 *
 * @param ordinal place in the matrix, from 0
 * @param framework what the server is built on, as its machine names it
 * @param params the workload's defaults with the scenario's own laid over them
 * @param delay of its database; null: nothing stands between
 * @param declaredDelayMs what the workload itself waits, and one round trip of a delayed database; response excess = response − this
 * @param scenarioKey as {@link dev.loomboard.cell.CanonicalText#scenarioKey}
 */
public record Cell(
        int ordinal,
        String server,
        String variant,
        String framework,
        String concurrencyModel,
        String workload,
        int workloadVersion,
        Map<String, Object> params,
        double declaredDelayMs,
        Load load,
        String scenarioKey,
        String collector,
        Limits limits,
        @Nullable DatabaseDelay delay,
        List<String> jvmOptions,
        JdkBuild jdk) {

    public Cell {
        params = Map.copyOf(params);
        jvmOptions = List.copyOf(jvmOptions);
    }
}
