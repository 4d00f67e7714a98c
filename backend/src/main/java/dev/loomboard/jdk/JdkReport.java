package dev.loomboard.jdk;

import java.util.List;
import java.util.Map;

/** A build as an agent reports it. Its JSON is the wire's JdkBuild. */
public record JdkReport(
        String slug,
        String identity,
        String vendor,
        String runtimeVersion,
        int feature,
        String availability,
        String architecture,
        String modulesSha256,
        String libjvmSha256,
        Lineage lineage) {

    /** How a build was made: across two lineages a difference is one of distribution, never a JDK regression. */
    public record Lineage(
            String vendor,
            String compiler,
            String libc,
            String debugLevel,
            String internal,
            List<String> cds,
            Map<String, String> release,
            String hash) {
        public Lineage {
            cds = List.copyOf(cds);
            release = Map.copyOf(release);
        }
    }
}
