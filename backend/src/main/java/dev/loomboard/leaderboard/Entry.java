package dev.loomboard.leaderboard;

import dev.loomboard.catalog.Limits;
import dev.loomboard.show.Jdk;
import dev.loomboard.show.Reading;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One row of the leaderboard.
 *
 * @param machine external id; @param cell external id; @param run external id
 * @param readings by metric; a metric that is absent was not measured
 * @param standing ranked, provisional or unranked
 * @param jvmOptions of the owner's matrix; @param limits of CPU and memory
 * @param reasons why it is not ranked; what is this row's own stands in parentheses
 */
public record Entry(
        String scenarioKey,
        String workspace,
        String machine,
        String machineName,
        String machineClass,
        String server,
        String variant,
        String concurrencyModel,
        String collector,
        List<String> jvmOptions,
        Limits limits,
        String protocol,
        Jdk jdk,
        String run,
        String cell,
        int trials,
        Map<String, Reading> readings,
        String standing,
        List<String> reasons,
        Instant measuredAt) {

    public Entry {
        jvmOptions = List.copyOf(jvmOptions);
        readings = Map.copyOf(readings);
        reasons = List.copyOf(reasons);
    }

    /** All reasons as one sentence; null: ranked. */
    public @Nullable String reason() {
        return reasons.isEmpty() ? null : String.join("; ", reasons);
    }

    /** What tells it from the other rows of its scenario. */
    String name() {
        String options = jvmOptions.isEmpty() ? "" : " " + String.join(" ", jvmOptions);
        String bounds = limits.words().isEmpty() ? "" : " within " + limits.words();
        return server + " " + variant + options + bounds + " on " + jdk.shortVersion();
    }

    public @Nullable Reading reading(String metric) {
        return readings.get(metric);
    }
}
