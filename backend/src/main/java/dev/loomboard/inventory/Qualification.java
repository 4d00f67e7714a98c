package dev.loomboard.inventory;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.loomboard.kernel.FieldChecks;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Trials of cells against themselves on one machine, one cell of each class of resources. Its JSON is the wire's Qualification.
 * What it came to is judged here, whatever the agent printed.
 *
 * @param at RFC 3339
 * @param cell of an agent that measured one cell alone, with {@code trials}, {@code faults} and {@code values} of it; null, as
 *     they are: there are {@code cells}
 * @param cells those that were measured; null: one cell alone
 */
public record Qualification(
        String schema,
        String at,
        String agentVersion,
        String fingerprintHash,
        String classHash,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String cell,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Integer trials,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable List<String> faults,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Map<String, List<Double>> values,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable List<QualificationCell> cells) {

    private static final String OF_ONE_CELL = "loomboard.qualification/1";
    private static final String BY_RESOURCE = "loomboard.qualification/2";

    public Qualification {
        FieldChecks.oneOf("schema", schema, List.of(OF_ONE_CELL, BY_RESOURCE));
        FieldChecks.text("at", at, 40);
        FieldChecks.instant("at", at);
        FieldChecks.text("agentVersion", agentVersion, 60);
        FieldChecks.matching("fingerprintHash", fingerprintHash, FieldChecks.SHA256);
        FieldChecks.matching("classHash", classHash, FieldChecks.SHA256);
        if (schema.equals(OF_ONE_CELL)) {
            FieldChecks.absent("cells", cells, "one cell alone was measured");
            faults = one(cell, trials, faults, values).faults();
        } else {
            FieldChecks.absent("cell", cell, "each cell has its own");
            FieldChecks.absent("trials", trials, "each cell has its own");
            FieldChecks.absent("faults", faults, "each cell has its own");
            FieldChecks.absent("values", values, "each cell has its own");
            cells = FieldChecks.list("cells", cells, ResourceClass.values().length);
            distinct(cells);
        }
    }

    private static void distinct(List<QualificationCell> cells) {
        for (int i = 0; i < cells.size(); i++) {
            FieldChecks.present("cells[" + i + "].resource", cells.get(i).resource());
        }
        if (cells.stream().map(QualificationCell::resource).distinct().count() < cells.size()) {
            throw new FieldChecks.Refused("cells", "must have each resource once");
        }
    }

    private static QualificationCell one(
            @Nullable String cell,
            @Nullable Integer trials,
            @Nullable List<String> faults,
            @Nullable Map<String, List<Double>> values) {
        return new QualificationCell(
                null,
                FieldChecks.present("cell", cell),
                FieldChecks.present("trials", trials),
                FieldChecks.present("faults", faults),
                FieldChecks.present("values", values));
    }

    public Instant measuredAt() {
        return FieldChecks.instant("at", at);
    }

    /** Whether it looked at each class of resources. */
    public boolean byResource() {
        return cells != null;
    }

    /** What was measured. */
    public List<QualificationCell> measured() {
        return cells != null ? cells : List.of(one(cell, trials, faults, values));
    }

    /** Why the machine did not pass; empty: it did. Of classes of resources it must pass each. */
    public List<String> problems() {
        if (cells == null) {
            return one(cell, trials, faults, values).problems();
        }
        List<String> problems = new ArrayList<>();
        for (ResourceClass resource : ResourceClass.values()) {
            List<QualificationCell> of = cells.stream()
                    .filter(measured -> measured.resource() == resource)
                    .toList();
            (of.isEmpty() ? Stream.of("it was not measured") : of.getFirst().problems().stream())
                    .forEach(problem -> problems.add(resource.wire() + ": " + problem));
        }
        return problems;
    }

    /** Whether it passed, on the host as it is now: a changed host must be qualified again. */
    public boolean holdsFor(String currentFingerprint) {
        return fingerprintHash.equals(currentFingerprint) && problems().isEmpty();
    }

    /** Why it does not hold for a machine whose results are provisional; null: it does. */
    @Nullable
    public String whyNot(@Nullable String currentFingerprint) {
        if (!Objects.equals(fingerprintHash, currentFingerprint)) {
            return "the host has changed since its A/A qualification; run loomboard-agent qualify on it again";
        }
        return problems().isEmpty() ? null : "it did not pass its A/A qualification: " + String.join("; ", problems());
    }
}
