package dev.loomboard.leaderboard;

import dev.loomboard.stats.RunSpread;
import dev.loomboard.view.MetricReading;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A board as a table for programs: a row for each of an entry's metrics. */
final class BoardCsv {

    static final List<String> HEAD = List.of(
            "standing",
            "reason",
            "server",
            "variant",
            "rank_best",
            "rank_worst",
            "ranked_entries",
            "run_spread",
            "run_spread_assumed",
            "rank_in_words",
            "ranked_by",
            "scenario",
            "visibility",
            "framework",
            "concurrency_model",
            "jdk",
            "collector",
            "jvm_options",
            "limits",
            "protocol",
            "workspace",
            "machine",
            "machine_class",
            "trials",
            "metric",
            "mean",
            "low",
            "high",
            "eligible",
            "eligible_reason",
            "measured_at",
            "run");

    private BoardCsv() {}

    static List<List<@Nullable Object>> rows(Entry entry) {
        List<List<@Nullable Object>> rows = new ArrayList<>();
        new TreeMap<>(entry.readings())
                .forEach((metric, reading) -> rows.add(row(
                        entry,
                        metric,
                        reading,
                        entry.scenarioKey(),
                        entry.source().trials(),
                        entry.source().run())));
        Entry.Found found = entry.found();
        if (found != null) {
            rows.add(row(
                    entry, BoardColumn.MAX_RATE, found.reading(), found.scenarioKey(), found.trials(), found.run()));
        }
        return rows;
    }

    private static List<@Nullable Object> row(
            Entry entry, String metric, MetricReading reading, String scenario, int trials, String run) {
        Rank rank = entry.rating().rank();
        List<@Nullable Object> row = new ArrayList<>();
        row.add(entry.standing().wire());
        row.add(entry.reason());
        row.addAll(List.of(entry.server().name(), entry.server().variant()));
        row.add(rank == null ? null : rank.best());
        row.add(rank == null ? null : rank.worst());
        row.add(rank == null ? null : rank.of());
        RunSpread spread = rank == null ? null : rank.runSpread();
        row.add(spread == null ? null : spread.spread());
        row.add(spread == null ? null : spread.assumed());
        row.add(rank == null ? null : rank.words());
        row.add(entry.headline());
        row.addAll(List.of(scenario, entry.place().visibility().wire()));
        row.add(entry.framework());
        row.addAll(List.of(
                entry.server().model().wire(),
                entry.jdk().slug(),
                entry.settings().collector(),
                String.join(" ", entry.settings().jvmOptions()),
                entry.settings().limits().words(),
                entry.settings().protocol(),
                entry.place().workspace(),
                entry.place().machine().name(),
                entry.place().machineClass(),
                trials,
                metric,
                reading.mean()));
        row.add(reading.low());
        row.add(reading.high());
        row.add(reading.eligible());
        row.add(reading.reason());
        row.add(entry.source().measuredAt());
        row.add(run);
        return row;
    }
}
