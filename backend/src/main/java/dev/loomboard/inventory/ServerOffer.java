package dev.loomboard.inventory;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.loomboard.cell.ConcurrencyModel;
import dev.loomboard.kernel.FieldChecks;
import dev.loomboard.kernel.WireName;
import dev.loomboard.measurement.MixOperation;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A server that a machine can start: names only, never commands or paths. Its JSON is the wire's ServerOffer.
 *
 * @param kind null: it has a JVM
 * @param java lowest feature release it runs on; null: it has no JVM
 * @param collector what it runs with unless a matrix names another; null: it has no JVM
 * @param digest SHA-256 of the artefact and of what server.yaml makes of it; null: declared but not built or installed
 *     on this machine
 */
public record ServerOffer(
        String name,
        String title,
        String framework,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Kind kind,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Integer java,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String collector,
        @JsonProperty(required = true) @Nullable String digest,
        List<VariantOffer> variants,
        List<WorkloadOffer> workloads) {

    /** Of a server without a JVM. */
    public enum Kind implements WireName {
        PROCESS
    }

    private static final String WITHOUT_JVM = "a server of kind process has no JVM";

    public ServerOffer {
        FieldChecks.matching("name", name, FieldChecks.SLUG);
        FieldChecks.text("title", title, 120);
        FieldChecks.text("framework", framework, 120);
        if (kind == null) {
            FieldChecks.between("java", FieldChecks.present("java", java), 8, 999);
            FieldChecks.text("collector", collector, 40);
        } else {
            FieldChecks.absent("java", java, WITHOUT_JVM);
            FieldChecks.absent("collector", collector, WITHOUT_JVM);
        }
        if (digest != null) {
            FieldChecks.matching("digest", digest, FieldChecks.SHA256);
        }
        variants = FieldChecks.list("variants", variants, 50);
        workloads = FieldChecks.list("workloads", workloads, 100);
    }

    public record VariantOffer(String name, ConcurrencyModel concurrencyModel) {
        public VariantOffer {
            FieldChecks.matching("name", name, FieldChecks.SLUG);
            FieldChecks.present("concurrencyModel", concurrencyModel);
        }
    }

    /**
     * @param params defaults; a matrix's own are laid over them
     * @param declaredDelayParam the parameter, in ms, that the workload waits by definition; null: it waits for nothing
     * @param database that it asks; null: none
     * @param operations of a mix by name, with their weights; null: one request is all it sends
     */
    public record WorkloadOffer(
            String name,
            int version,
            Map<String, Object> params,
            @Nullable String declaredDelayParam,

            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            Database database,

            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            Map<String, Integer> operations) {

        /** Whether the machine has it. */
        public enum Database implements WireName {
            READY,
            MISSING
        }

        public WorkloadOffer {
            FieldChecks.matching("name", name, FieldChecks.SLUG);
            FieldChecks.between("version", version, 1, 1_000_000);
            params = FieldChecks.map("params", params);
            FieldChecks.allStorable("params", params);
            FieldChecks.allStorable("declaredDelayParam", declaredDelayParam);
            operations = operations == null ? null : weights(operations);
        }

        private static Map<String, Integer> weights(Map<String, Integer> operations) {
            FieldChecks.between("operations", operations.size(), 1, MixOperation.MOST);
            FieldChecks.map("operations", operations).forEach((name, weight) -> {
                FieldChecks.matching("operations", name, FieldChecks.SLUG);
                FieldChecks.between("operations." + name, weight, 1, MixOperation.HEAVIEST);
            });
            return Collections.unmodifiableMap(new TreeMap<>(operations));
        }
    }

    /** It runs in a JVM, so once on each JDK. */
    public boolean hasJvm() {
        return kind == null;
    }

    /** Whether it runs on a feature release; without a JVM none is asked for. */
    public boolean runsOn(int feature) {
        return java == null || java <= feature;
    }

    public Optional<VariantOffer> variant(String wanted) {
        return variants.stream().filter(v -> v.name().equals(wanted)).findFirst();
    }

    public Optional<WorkloadOffer> workload(String wanted) {
        return workloads.stream().filter(w -> w.name().equals(wanted)).findFirst();
    }
}
