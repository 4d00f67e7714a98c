package dev.loomboard.cell;

import java.util.List;

/**
 * What a cell is: who answers what, on which JDK, where.
 *
 * @param scenarioKey such as {@code io@1?delayMs=100;constant:rate=300,seconds=12}
 * @param declaredDelayMs what the workload itself waits
 * @param protocol such as quick/1
 * @param machine external id
 */
public record CellIdentity(
        String server,
        String variant,
        String concurrencyModel,
        String workload,
        String scenarioKey,
        double declaredDelayMs,
        String collector,
        List<String> jvmOptions,
        Limits limits,
        String protocol,
        String machine,
        String machineSlug,
        String machineName,
        Build jdk) {

    public CellIdentity {
        jvmOptions = List.copyOf(jvmOptions);
    }

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
