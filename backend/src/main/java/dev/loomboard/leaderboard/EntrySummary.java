package dev.loomboard.leaderboard;

import dev.loomboard.cell.Jdk;
import dev.loomboard.cell.Limits;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An entry as far as filters, order and names need it: of a scenario all are read so, and in full only those that are shown.
 *
 * @param id internal key; @param cell likewise; @param machine external id
 * @param audience slug of the workspace whose members see it; empty: everybody does
 * @param framework null: unknown
 * @param headline the metric that its scenario ranks by; null: it declares none
 * @param asked its mean of the metric that was asked for; null: not measured; @param usual where that is null: of what is ordered by unasked
 */
record EntrySummary(
        long id,
        long cell,
        String scenarioKey,
        String machine,
        String machineName,
        Jdk jdk,
        String audience,
        String classHash,
        String protocol,
        String server,
        String variant,
        @Nullable String framework,
        String concurrencyModel,
        String collector,
        List<String> jvmOptions,
        Limits limits,
        String standing,
        @Nullable String headline,
        @Nullable Double asked,
        @Nullable Double usual) {

    EntrySummary {
        jvmOptions = List.copyOf(jvmOptions);
    }

    /** What rows are ordered by. @param asked null: nothing; @param usual where the scenario has no headline */
    record Order(@Nullable String asked, String usual) {}

    String frameworkName() {
        return framework == null ? BoardQuery.UNKNOWN : framework;
    }

    Entry.Board board() {
        return new Entry.Board(audience, classHash, protocol);
    }

    String name() {
        return Entry.name(server, variant, jvmOptions, limits, jdk);
    }

    /** The same but for the load: whose search it may be. */
    List<Object> subject() {
        return List.of(machine, server, variant, collector, jvmOptions, limits, jdk.slug());
    }
}
