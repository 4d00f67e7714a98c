package dev.loomboard.ranking;

import static dev.loomboard.kernel.Rows.text;

import dev.loomboard.cell.Visibility;
import dev.loomboard.kernel.WireName;
import io.r2dbc.postgresql.codec.Json;
import io.r2dbc.spi.Parameters;
import io.r2dbc.spi.R2dbcType;
import java.time.ZoneOffset;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;
import reactor.core.publisher.Flux;
import tools.jackson.databind.json.JsonMapper;

/** Writes the leaderboard, an entry at a time, as cells finish. */
@Repository
public class LeaderboardRollupStore {

    private final DatabaseClient database;
    private final JsonMapper json;

    public LeaderboardRollupStore(DatabaseClient database, JsonMapper json) {
        this.database = database;
        this.json = json;
    }

    /**
     * The newest run wins; but a private one never takes a public entry off the public leaderboard, nor one that was cut
     * short what a whole one measured.
     *
     * @return the boards that it stands on now and stood on before, or on which another keeps its place: there it told of its
     *     machine's spread. Plan: leaderboard_entry_uq
     */
    public Flux<BoardKey> put(EntryRow entry) {
        return database.sql("""
                        with before as (
                          select visibility, class_hash from leaderboard_entry
                           where workspace_id = :workspace and scenario_key = :scenario and machine_id = :machine
                             and server = :server and variant = :variant and collector = :collector
                             and jvm_options = :options and limits = :limits and protocol = :protocol
                             and jdk_build_id = :build
                        ), put as (
                        insert into leaderboard_entry as old
                               (workspace_id, visibility, hidden, scenario_key, workload, class_hash, class_label, machine_id,
                                server, variant, server_digest, framework, concurrency_model, collector, jvm_options, limits, protocol,
                                jdk_build_id, run_id, cell_id, trials, metrics, headline, standing, reasons, measured_at)
                        values (:workspace, :visibility, (select r.hidden from run r where r.run_id = :run), :scenario, :workload, :classHash, :classLabel, :machine,
                                :server, :variant, :digest, :framework, :model, :collector, :options, :limits, :protocol,
                                :build, :run, :cell, :trials, :metrics, :headline, :standing, :reasons, :measured)
                        on conflict on constraint leaderboard_entry_uq do update
                           set visibility = excluded.visibility, hidden = excluded.hidden, workload = excluded.workload,
                               class_hash = excluded.class_hash, class_label = excluded.class_label,
                               server_digest = excluded.server_digest, framework = excluded.framework, concurrency_model = excluded.concurrency_model,
                               run_id = excluded.run_id, cell_id = excluded.cell_id, trials = excluded.trials,
                               metrics = excluded.metrics, headline = excluded.headline,
                               standing = excluded.standing, reasons = excluded.reasons,
                               measured_at = excluded.measured_at
                         where old.run_id <= excluded.run_id
                           and (old.visibility = 'private' or excluded.visibility = 'public' or old.run_id = excluded.run_id)
                           and (not :cutShort or old.standing = 'unranked' or old.run_id = excluded.run_id)
                        returning visibility, class_hash
                        )
                        select visibility, class_hash from put
                        union
                        select visibility, class_hash from before
                        """)
                .bind("workspace", entry.keys().workspace())
                .bind("visibility", entry.visibility().wire())
                .bind("scenario", entry.scenarioKey())
                .bind("workload", entry.workload())
                .bind("classHash", entry.classHash())
                .bind("classLabel", entry.classLabel())
                .bind("machine", entry.keys().machine())
                .bind("server", entry.server().name())
                .bind("variant", entry.server().variant())
                .bind("digest", entry.serverDigest())
                .bind(
                        "framework",
                        Parameters.in(R2dbcType.VARCHAR, entry.server().framework()))
                .bind("model", entry.server().model().wire())
                .bind("collector", entry.settings().collector())
                .bind("options", entry.settings().jvmOptions().toArray(String[]::new))
                .bind("limits", Json.of(json.writeValueAsString(entry.settings().limits())))
                .bind("protocol", entry.settings().protocol())
                .bind("build", entry.keys().jdkBuild())
                .bind("run", entry.keys().run())
                .bind("cell", entry.keys().cell())
                .bind("trials", entry.result().trials())
                .bind("metrics", Json.of(json.writeValueAsString(entry.result().metrics())))
                .bind(
                        "headline",
                        Parameters.in(R2dbcType.VARCHAR, entry.result().headline()))
                .bind("standing", entry.result().standing().wire())
                .bind("reasons", entry.result().reasons().toArray(String[]::new))
                .bind("cutShort", entry.result().cutShort())
                .bind("measured", entry.measuredAt().atOffset(ZoneOffset.UTC))
                .map(row -> BoardKey.of(
                        entry.keys().workspace(),
                        WireName.of(Visibility.class, text(row, "visibility")),
                        entry.scenarioKey(),
                        text(row, "class_hash"),
                        entry.settings().protocol()))
                .all();
    }
}
