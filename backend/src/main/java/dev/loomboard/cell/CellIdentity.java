package dev.loomboard.cell;

import com.fasterxml.jackson.annotation.JsonUnwrapped;

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
        Build jdk) {

    /**
     * A JDK build.
     *
     * @param availability ea or ga
     * @param lineageHash two builds that differ in it differ as distributions, not as JDKs
     */
    public record Build(
            String slug,
            String vendor,
            String runtimeVersion,
            int feature,
            String availability,
            String architecture,
            String lineageHash) {}
}
