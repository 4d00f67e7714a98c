package dev.loomboard.runimport;

import static dev.loomboard.kernel.Rows.flag;
import static dev.loomboard.kernel.Rows.number;
import static dev.loomboard.kernel.Rows.text;

import dev.loomboard.bundle.BundleCell;
import dev.loomboard.bundle.BundleManifest;
import dev.loomboard.bundle.BundleRun;
import dev.loomboard.cell.Visibility;
import dev.loomboard.kernel.ExternalId;
import dev.loomboard.kernel.WorkspaceId;
import dev.loomboard.matrix.MatrixSpec;
import dev.loomboard.stats.Methodology;
import io.r2dbc.postgresql.codec.Json;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.r2dbc.core.Parameter;
import org.springframework.stereotype.Repository;
import reactor.core.publisher.Mono;
import tools.jackson.databind.json.JsonMapper;

/** Writes an imported run and its matrix. All of it is called in the import's transaction. */
@Repository
class ImportedRunStore {

    private final DatabaseClient database;
    private final JsonMapper json;

    ImportedRunStore(DatabaseClient database, JsonMapper json) {
        this.database = database;
        this.json = json;
    }

    /** The workspace's own run of that id, imported or measured in it. By imported_run_origin_uq and run_external_id_uq. */
    Mono<ImportResult.Present> present(WorkspaceId workspace, String originId) {
        return database.sql("""
                        select r.external_id, true as imported from imported_run i join run r using (run_id)
                         where i.workspace_id = :workspace and i.origin_id = :id
                        union all
                        select r.external_id, false from run r where r.workspace_id = :workspace and r.external_id = :id
                        """)
                .bind("workspace", workspace.value())
                .bind("id", originId)
                .map(row -> new ImportResult.Present(text(row, "external_id"), flag(row, "imported")))
                .first();
    }

    /** One of the workspace that is the same. By matrix_slug_uq. */
    Mono<Long> matrix(WorkspaceId workspace, MatrixSpec spec) {
        return database.sql("""
                        select matrix_id from matrix
                         where workspace_id = :workspace and archived_at is null and spec = :spec
                           and (slug = :slug or slug like :slug || '-%') order by slug limit 1
                        """)
                .bind("workspace", workspace.value())
                .bind("spec", document(spec))
                .bind("slug", spec.name())
                .map(row -> number(row, "matrix_id"))
                .one();
    }

    /** Under the first name that is free: its own, or with a number. */
    Mono<Long> addMatrix(WorkspaceId workspace, MatrixSpec spec, Visibility visibility) {
        return database.sql("""
                        insert into matrix (external_id, workspace_id, slug, title, spec, source, visibility)
                        select :id, :workspace, s.slug, :title, :spec, :source, :visibility
                          from generate_series(1, 1000) n
                         cross join lateral (select left(:slug, 58) || case when n > 1 then '-' || n else '' end as slug) s
                         where not exists (select from matrix x where x.workspace_id = :workspace and x.slug = s.slug)
                         order by n limit 1
                        returning matrix_id
                        """)
                .bind("id", ExternalId.random("mtx").value())
                .bind("workspace", workspace.value())
                .bind("slug", spec.name())
                .bind("title", spec.title())
                .bind("spec", document(spec))
                .bind("source", json.writerWithDefaultPrettyPrinter().writeValueAsString(spec))
                .bind("visibility", visibility.wire())
                .map(row -> number(row, "matrix_id"))
                .one();
    }

    /**
     * What a run stands on, by internal keys.
     *
     * @param control a build; null: none
     */
    record Ground(long matrix, long machine, @Nullable Long control) {}

    /**
     * Gives its internal key. Its matrix is stored as those of this service are, so that protocols of the same phases are the same.
     *
     * @param id its external id here
     * @param last that of the trial that its agent named last; null: it named none
     */
    Mono<Long> addRun(
            WorkspaceId workspace,
            String id,
            Ground on,
            BundleReader.Sound sound,
            @Nullable String last,
            String actor) {
        BundleRun run = sound.run();
        return database.sql("""
                        insert into run (external_id, workspace_id, machine_id, matrix_id, title, visibility, spec, notices, state, failure,
                                         fencing, attempts, progress, methodology, created_by, created_at, started_at, finished_at, follow_up,
                                         planned_trials, planned_seconds, reckoned_seconds, order_seed, control_build_id, look, pilot)
                        select :id, :workspace, :machine, :matrix, :title, 'private', :spec, :notices, c.state, c.failure,
                               c.fencing, c.attempts, c.progress || jsonb_build_object('trialId', :last::text), :methodology, :by,
                               t."createdAt", t."startedAt", t."finishedAt", c."followUp", p.trials, p.seconds, p."reckonedSeconds",
                               p."orderSeed", :control, c.look, p.pilot || '{"spreads": [], "cells": {}}'
                          from jsonb_to_record(:course) as c (state text, failure text, attempts int, fencing bigint, times jsonb, plan jsonb,
                                                              "followUp" boolean, look int, progress jsonb)
                         cross join jsonb_to_record(c.times) as t ("createdAt" timestamptz, "startedAt" timestamptz, "finishedAt" timestamptz)
                         cross join jsonb_to_record(c.plan) as p ("orderSeed" bigint, trials int, seconds float8, "reckonedSeconds" float8,
                                                                  pilot jsonb)
                        returning run_id
                        """)
                .bind("id", id)
                .bind("workspace", workspace.value())
                .bind("machine", on.machine())
                .bind("matrix", on.matrix())
                .bind("title", run.title())
                .bind("spec", document(sound.spec()))
                .bind("notices", document(run.notices()))
                .bind("course", document(run.course()))
                .bind("last", Parameter.fromOrEmpty(last, String.class))
                .bind("methodology", Methodology.VERSION)
                .bind("by", actor)
                .bind("control", Parameter.fromOrEmpty(on.control(), Long.class))
                .map(row -> number(row, "run_id"))
                .one();
    }

    /** False: the workspace has it already; somebody imported it meanwhile. */
    Mono<Boolean> mark(
            long run,
            WorkspaceId workspace,
            BundleManifest manifest,
            byte[] sha256,
            long bytes,
            String actor,
            Instant now) {
        return database.sql("""
                        insert into imported_run (run_id, workspace_id, origin_id, service, exported_at, imported_at, imported_by, sha256,
                                                  bytes)
                        values (:run, :workspace, :origin, :service, :exported, :now, :by, :sha256, :bytes)
                        on conflict on constraint imported_run_origin_uq do nothing
                        """)
                .bind("run", run)
                .bind("workspace", workspace.value())
                .bind("origin", manifest.origin().run())
                .bind("service", manifest.origin().service())
                .bind("exported", manifest.exported().instant().atOffset(ZoneOffset.UTC))
                .bind("now", now.atOffset(ZoneOffset.UTC))
                .bind("by", actor)
                .bind("sha256", sha256)
                .bind("bytes", bytes)
                .fetch()
                .rowsUpdated()
                .map(rows -> rows > 0);
    }

    /** How many scored trials cells were given after the first blocks. */
    Mono<Void> giveTrials(long run, List<BundleCell> cells) {
        return database.sql("""
                        update cell c set scored = g.scored
                          from jsonb_to_recordset(:cells) as g (ordinal int, scored int)
                         where c.run_id = :run and c.ordinal = g.ordinal and g.scored is not null
                        """).bind("run", run).bind("cells", document(cells)).then();
    }

    private Json document(Object of) {
        return Json.of(json.writeValueAsString(of));
    }
}
