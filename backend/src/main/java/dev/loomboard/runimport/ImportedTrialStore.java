package dev.loomboard.runimport;

import static dev.loomboard.kernel.Rows.number;
import static dev.loomboard.kernel.Rows.text;

import dev.loomboard.bundle.BundleTrial;
import dev.loomboard.cell.TrialState;
import dev.loomboard.kernel.WorkspaceId;
import dev.loomboard.measurement.Phase;
import io.r2dbc.postgresql.codec.Json;
import java.util.List;
import java.util.Map;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.r2dbc.core.Parameter;
import org.springframework.stereotype.Repository;
import reactor.core.publisher.Mono;
import tools.jackson.databind.json.JsonMapper;

/** Writes the trials of an imported run, but for what they sent. */
@Repository
class ImportedTrialStore {

    private final DatabaseClient database;
    private final JsonMapper json;

    ImportedTrialStore(DatabaseClient database, JsonMapper json) {
        this.database = database;
        this.json = json;
    }

    /**
     * Before any of what they sent is stored. Gives their internal keys, by their ids there.
     *
     * @param ids here, by their ids there
     */
    Mono<Map<String, Long>> add(long run, WorkspaceId workspace, List<BundleTrial> trials, Map<String, String> ids) {
        return database.sql("""
                        insert into trial (external_id, origin_id, workspace_id, run_id, cell_id, kind, ordinal, position, fencing, phase, late,
                                           cut_off)
                        select i.value, t.id, :workspace, :run, c.cell_id, t.kind, t.ordinal, p.position, p.fencing, t."end" ->> 'phase', t.late,
                               t."cutOff"
                          from jsonb_to_recordset(:trials) as t (id text, cell int, kind text, ordinal int, place jsonb, "end" jsonb,
                                                                 late boolean, "cutOff" boolean)
                         cross join jsonb_to_record(t.place) as p (fencing bigint, position int)
                          join jsonb_each_text(:ids) as i on i.key = t.id
                          join cell c on c.run_id = :run and c.ordinal = t.cell
                        returning origin_id, trial_id
                        """)
                .bind("workspace", workspace.value())
                .bind("run", run)
                .bind("trials", Json.of(json.writeValueAsString(trials)))
                .bind("ids", Json.of(json.writeValueAsString(ids)))
                .map(row -> Map.entry(text(row, "origin_id"), number(row, "trial_id")))
                .all()
                .collectMap(Map.Entry::getKey, Map.Entry::getValue);
    }

    /** The service gave it up: its batches do not say so. */
    Mono<Void> abort(long trial, BundleTrial.End end) {
        Phase phase = end.phase();
        return database.sql("""
                        update trial set state = :state, reason = :reason, finished_at = :at::timestamptz, phase = :phase
                         where trial_id = :trial
                        """)
                .bind("trial", trial)
                .bind("state", TrialState.ABORTED.wire())
                .bind("reason", Parameter.fromOrEmpty(end.reason(), String.class))
                .bind("at", Parameter.fromOrEmpty(end.finishedAt(), String.class))
                .bind("phase", Parameter.fromOrEmpty(phase == null ? null : phase.wire(), String.class))
                .then();
    }

    /** Numbers have been made of it. */
    Mono<Void> samplesRemoved(long trial, String at) {
        return database.sql("update trial set samples_removed_at = :at::timestamptz where trial_id = :trial")
                .bind("trial", trial)
                .bind("at", at)
                .then();
    }
}
