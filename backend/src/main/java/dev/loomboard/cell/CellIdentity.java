package dev.loomboard.cell;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import tools.jackson.databind.annotation.JsonSerialize;

/**
 * What a cell is: who answers what, on which JDK, where. Its JSON is flat, but for the JDK.
 *
 * @param scenarioKey such as {@code io@1?delayMs=100;constant:rate=300,seconds=12}
 * @param declaredDelayMs what the workload itself waits
 */
public record CellIdentity(
        @JsonUnwrapped ServerVariant server,
        String workload,
        String scenarioKey,
        double declaredDelayMs,
        @JsonUnwrapped CellSettings settings,
        @JsonUnwrapped MachineRef machine,
        @JsonSerialize(converter = Jdk.ToWireNames.class) Jdk jdk) {}
