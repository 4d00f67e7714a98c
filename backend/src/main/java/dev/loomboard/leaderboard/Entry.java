package dev.loomboard.leaderboard;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.loomboard.cell.CellSettings;
import dev.loomboard.cell.Jdk;
import dev.loomboard.cell.MachineRef;
import dev.loomboard.cell.ServerVariant;
import dev.loomboard.cell.Standing;
import dev.loomboard.cell.Visibility;
import dev.loomboard.kernel.Internal;
import dev.loomboard.kernel.WorkspaceId;
import dev.loomboard.retracted.Retracted;
import dev.loomboard.view.MetricReading;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One row of the leaderboard; its JSON is flat.
 *
 * @param settings with the JVM options and limits of the owner's matrix
 * @param readings by metric; a metric that is absent was not measured
 * @param headline the metric that its scenario ranks by; null: it declares none
 * @param found by a search of the same workload; null: there was none, or it is one itself
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Entry(
        String scenarioKey,
        @JsonUnwrapped Place place,
        Board board,
        @JsonUnwrapped ServerVariant server,
        @JsonUnwrapped CellSettings settings,
        Jdk jdk,
        @JsonUnwrapped Source source,
        Map<String, MetricReading> readings,
        @Nullable String headline,
        @JsonUnwrapped Rating rating,
        @Nullable Found found) {

    /**
     * Where it was measured, and who sees it.
     *
     * @param visibility where private, its workspace's members alone see it
     * @param imported it came in a bundle: no agent here owns the machine
     * @param machineClass label of the class
     */
    public record Place(
            String workspace,
            Visibility visibility,

            @JsonUnwrapped @JsonIgnoreProperties("machineSlug")
            MachineRef machine,

            boolean imported,
            String machineClass) {}

    /**
     * What was run.
     *
     * @param run external id
     * @param cell external id
     */
    public record Source(String run, String cell, int trials, Instant measuredAt) {}

    /**
     * Whether it ranks.
     *
     * @param reasons why it is not ranked; what is this row's own stands in parentheses
     * @param rank of a provisional row: among such rows alone; null: it has no place
     * @param retracted null: its versions stand
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Rating(
            Standing standing,
            List<String> reasons,
            @Nullable Rank rank,
            @Nullable Retracted retracted) {
        public Rating {
            reasons = List.copyOf(reasons);
        }
    }

    /** What another scenario's entry of the same server, build and machine has to add. */
    public record Found(String scenarioKey, String run, int trials, Standing standing, MetricReading reading) {}

    /** Rows of one are ranked against each other. */
    record Board(String audience, String classHash, String protocol) implements Internal {}

    public Entry {
        readings = Map.copyOf(readings);
    }

    @JsonProperty
    public @Nullable String framework() {
        return server.framework();
    }

    public Standing standing() {
        return rating.standing();
    }

    /** All reasons as one sentence; null: ranked. */
    public @Nullable String reason() {
        return rating.reasons().isEmpty() ? null : String.join("; ", rating.reasons());
    }

    /** Not everybody sees it. */
    public boolean hidden() {
        return place.visibility() == Visibility.PRIVATE;
    }

    /** Measured by a machine that is not the installation's own. */
    public boolean guest() {
        return !place.workspace().equals(WorkspaceId.OWN);
    }

    String name() {
        return name(server, settings, jdk);
    }

    /** What distinguishes it from the other rows of its scenario. */
    static String name(ServerVariant server, CellSettings settings, Jdk jdk) {
        String options = settings.jvmOptions().isEmpty() ? "" : " " + String.join(" ", settings.jvmOptions());
        String bounds = settings.limits().words().isEmpty()
                ? ""
                : " within " + settings.limits().words();
        return server.name() + " " + server.variant() + options + bounds + jdk.on();
    }

    public @Nullable MetricReading reading(String metric) {
        MetricReading own = readings.get(metric);
        return own == null && found != null && metric.equals(BoardColumn.MAX_RATE) ? found.reading() : own;
    }

    Entry with(@Nullable Rank named, @Nullable Found search) {
        return new Entry(
                scenarioKey,
                place,
                board,
                server,
                settings,
                jdk,
                source,
                readings,
                headline,
                new Rating(rating.standing(), rating.reasons(), named, rating.retracted()),
                search);
    }
}
