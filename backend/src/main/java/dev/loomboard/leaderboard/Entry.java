package dev.loomboard.leaderboard;

import dev.loomboard.show.Jdk;
import dev.loomboard.show.Reading;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One row of the leaderboard.
 *
 * @param machine external id; @param cell external id; @param run external id
 * @param readings by metric; a metric that is absent was not measured
 * @param standing ranked, provisional or unranked
 * @param reason why it is not ranked
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
        String protocol,
        Jdk jdk,
        String run,
        String cell,
        int trials,
        Map<String, Reading> readings,
        String standing,
        @Nullable String reason,
        Instant measuredAt) {

    public Entry {
        readings = Map.copyOf(readings);
    }

    public @Nullable Reading reading(String metric) {
        return readings.get(metric);
    }
}
