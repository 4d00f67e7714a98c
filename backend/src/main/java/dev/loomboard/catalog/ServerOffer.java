package dev.loomboard.catalog;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A server that a machine can start: names only, never commands or paths. Its JSON is the wire's ServerOffer.
 *
 * @param java lowest feature release it runs on
 * @param collector what it runs with unless a matrix names another
 * @param digest SHA-256 of the artefact; null: declared but not built on this machine
 */
public record ServerOffer(
        String name,
        String title,
        String framework,
        int java,
        String collector,
        @Nullable String digest,
        List<VariantOffer> variants,
        List<WorkloadOffer> workloads) {

    public ServerOffer {
        variants = List.copyOf(variants);
        workloads = List.copyOf(workloads);
    }

    /** @param concurrencyModel platform-threads, virtual-threads, event-loop or other */
    public record VariantOffer(String name, String concurrencyModel) {}

    /**
     * @param params defaults; a matrix's own are laid over them
     * @param declaredDelayParam the parameter, in ms, that the workload waits by definition; null: it waits for nothing
     */
    public record WorkloadOffer(
            String name, int version, Map<String, Object> params, @Nullable String declaredDelayParam) {
        public WorkloadOffer {
            params = Map.copyOf(params);
        }
    }

    public Optional<VariantOffer> variant(String wanted) {
        return variants.stream().filter(v -> v.name().equals(wanted)).findFirst();
    }

    public Optional<WorkloadOffer> workload(String wanted) {
        return workloads.stream().filter(w -> w.name().equals(wanted)).findFirst();
    }
}
