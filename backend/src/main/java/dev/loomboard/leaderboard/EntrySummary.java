package dev.loomboard.leaderboard;

import dev.loomboard.catalog.Metric;
import dev.loomboard.catalog.Metrics;
import dev.loomboard.cell.CellSettings;
import dev.loomboard.cell.Jdk;
import dev.loomboard.cell.MachineRef;
import dev.loomboard.cell.ServerVariant;
import dev.loomboard.cell.Standing;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An entry as far as filters, order and names need it: of a scenario all are read so, and in full only those that are shown.
 *
 * @param id internal key
 * @param cell internal key
 * @param board its audience is the slug of the workspace whose members see it; empty: everybody does
 * @param headline the metric that its scenario ranks by; null: it declares none
 * @param placed it was ranked with others of its board and standing
 * @param asked its mean of the metric that was asked for; null: not measured
 * @param usual of what is ordered by unasked, which is what ranks where anything does
 */
record EntrySummary(
        long id,
        long cell,
        String scenarioKey,
        MachineRef machine,
        Jdk jdk,
        Entry.Board board,
        ServerVariant server,
        CellSettings settings,
        Standing standing,
        @Nullable String headline,
        boolean placed,
        @Nullable Double asked,
        @Nullable Double usual) {

    /**
     * What rows are ordered by.
     *
     * @param asked null: nothing
     * @param usual where the scenario has no headline
     */
    record Order(@Nullable String asked, String usual) {}

    String frameworkName() {
        return server.framework() == null ? BoardQuery.UNKNOWN : server.framework();
    }

    String name() {
        return Entry.name(server, settings, jdk);
    }

    /** The same but for the load and the protocol: whose search it may be. */
    List<Object> subject() {
        return List.of(variant(), jdk.slug());
    }

    /** The same but for the JDK build: of these the newest is shown. */
    List<Object> track() {
        return List.of(variant(), board, scenarioKey);
    }

    private List<Object> variant() {
        return List.of(
                machine.id(),
                server.name(),
                server.variant(),
                settings.collector(),
                settings.jvmOptions(),
                settings.limits());
    }

    /** By what they are ranked by. */
    boolean betterThan(EntrySummary other) {
        if (usual == null || other.usual == null || headline == null) {
            throw new IllegalArgumentException("an entry without " + headline + " was ranked");
        }
        return Metrics.all().get(headline).better() == Metric.Preferred.HIGHER
                ? usual > other.usual
                : usual < other.usual;
    }

    /** They were ranked with each other. */
    boolean rankedWith(EntrySummary other) {
        return placed && other.placed && standing == other.standing && board.equals(other.board);
    }
}
