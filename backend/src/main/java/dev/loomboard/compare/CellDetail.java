package dev.loomboard.compare;

import com.fasterxml.jackson.annotation.JsonIgnore;
import dev.loomboard.cell.Jdk;
import dev.loomboard.cell.Retracted;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A cell as it is set against another in all detail.
 *
 * @param profile of its load, as the wire has it
 * @param flags of the JVM of a scored trial; empty: none is on record
 * @param diagnostic external id of a diagnostic trial; null: there is none
 * @param counts what that counted, by metric
 * @param retracted null: its versions stand
 */
public record CellDetail(
        @JsonIgnore long key,
        String id,
        String run,
        String server,
        String variant,
        String concurrencyModel,
        String scenarioKey,
        double declaredDelayMs,
        String profile,
        String collector,
        List<String> jvmOptions,
        String limits,
        Jdk jdk,
        String machine,
        Map<String, String> flags,
        @Nullable String diagnostic,
        Map<String, Double> counts,
        @Nullable Retracted retracted) {

    /** Whether all its hits are of one rate, so that they have one distribution. */
    boolean ofOneRate() {
        return switch (profile) {
            case "constant", "poisson", "closed" -> true;
            default -> false;
        };
    }

    boolean closed() {
        return profile.equals("closed");
    }
}
