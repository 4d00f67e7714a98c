package dev.loomboard.leaderboard;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import dev.loomboard.cell.Jdk;
import dev.loomboard.cell.Limits;
import dev.loomboard.cell.Retracted;
import dev.loomboard.view.MetricReading;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One row of the leaderboard.
 *
 * @param machine external id; @param cell external id; @param run external id
 * @param visibility public, or private: of its workspace's members only
 * @param framework what the server is built on; null: unknown
 * @param readings by metric; a metric that is absent was not measured
 * @param headline the metric that its scenario ranks by; null: it declares none
 * @param jvmOptions of the owner's matrix; @param limits of CPU and memory
 * @param standing ranked, provisional, few, unranked or retracted
 * @param reasons why it is not ranked; what is this row's own stands in parentheses
 * @param rank of a provisional row: among such rows alone; null: it has no place
 * @param retracted null: its versions stand
 * @param found by a search of the same workload; null: there was none, or it is one itself
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Entry(
        String scenarioKey,
        String workspace,
        String visibility,
        String machine,
        String machineName,
        @JsonIgnore String classHash,
        String machineClass,
        String server,
        String variant,
        @Nullable String framework,
        String concurrencyModel,
        String collector,
        List<String> jvmOptions,
        Limits limits,
        String protocol,
        Jdk jdk,
        String run,
        String cell,
        int trials,
        Map<String, MetricReading> readings,
        @Nullable String headline,
        String standing,
        List<String> reasons,
        @Nullable Rank rank,
        @Nullable Retracted retracted,
        @Nullable Found found,
        Instant measuredAt) {

    /** What another scenario's entry of the same server, build and machine has to add. */
    public record Found(String scenarioKey, String run, int trials, String standing, MetricReading reading) {}

    /** Rows of one are ranked against each other. */
    record Board(String audience, String classHash, String protocol) {}

    public Entry {
        jvmOptions = List.copyOf(jvmOptions);
        readings = Map.copyOf(readings);
        reasons = List.copyOf(reasons);
    }

    /** All reasons as one sentence; null: ranked. */
    public @Nullable String reason() {
        return reasons.isEmpty() ? null : String.join("; ", reasons);
    }

    /** Not everybody sees it. */
    public boolean hidden() {
        return !visibility.equals("public");
    }

    String name() {
        return name(server, variant, jvmOptions, limits, jdk);
    }

    /** What tells it from the other rows of its scenario. */
    static String name(String server, String variant, List<String> jvmOptions, Limits limits, Jdk jdk) {
        String options = jvmOptions.isEmpty() ? "" : " " + String.join(" ", jvmOptions);
        String bounds = limits.words().isEmpty() ? "" : " within " + limits.words();
        return server + " " + variant + options + bounds + " on " + jdk.shortVersion();
    }

    Board board() {
        return new Board(hidden() ? workspace : "", classHash, protocol);
    }

    public @Nullable MetricReading reading(String metric) {
        MetricReading own = readings.get(metric);
        return own == null && found != null && metric.equals(BoardColumn.MAX_RATE) ? found.reading() : own;
    }

    Entry with(@Nullable Rank named, @Nullable Found search) {
        return new Entry(
                scenarioKey,
                workspace,
                visibility,
                machine,
                machineName,
                classHash,
                machineClass,
                server,
                variant,
                framework,
                concurrencyModel,
                collector,
                jvmOptions,
                limits,
                protocol,
                jdk,
                run,
                cell,
                trials,
                readings,
                headline,
                standing,
                reasons,
                named,
                retracted,
                search,
                measuredAt);
    }
}
