package dev.loomboard.bundle;

import static dev.loomboard.kernel.Rows.flag;
import static dev.loomboard.kernel.Rows.number;
import static dev.loomboard.kernel.Rows.text;

import dev.loomboard.cell.TrialState;
import dev.loomboard.cell.Visibility;
import dev.loomboard.inventory.Qualification;
import dev.loomboard.kernel.ExternalId;
import dev.loomboard.kernel.FieldChecks;
import dev.loomboard.kernel.WorkspaceId;
import dev.loomboard.matrix.MatrixSpec;
import dev.loomboard.measurement.Phase;
import dev.loomboard.run.Progress;
import dev.loomboard.stats.Methodology;
import io.r2dbc.postgresql.codec.Json;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.r2dbc.core.Parameter;
import org.springframework.stereotype.Repository;
import reactor.core.publisher.Mono;
import tools.jackson.databind.json.JsonMapper;

/** Writes an imported run, but for its cells and what its trials sent. All of it is called in the import's transaction. */
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
                .bind("spec", stored(spec))
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
                .bind("spec", stored(spec))
                .bind("source", json.writerWithDefaultPrettyPrinter().writeValueAsString(spec))
                .bind("visibility", visibility.wire())
                .map(row -> number(row, "matrix_id"))
                .one();
    }

    /** Of an earlier import of the same machine's. By machine_origin_uq. */
    Mono<Long> machine(WorkspaceId workspace, String originId) {
        return database.sql("select machine_id from machine where workspace_id = :workspace and origin_id = :origin")
                .bind("workspace", workspace.value())
                .bind("origin", originId)
                .map(row -> number(row, "machine_id"))
                .one();
    }

    /** One that no agent owns, not admitted to public ranks, under the first name that is free. */
    Mono<Long> addMachine(WorkspaceId workspace, BundleRun.Machine machine, Visibility visibility, Instant now) {
        return database.sql("""
                        insert into machine (external_id, workspace_id, slug, name, visibility, origin_id, registered_at, revoked_at, reruns)
                        select :id, :workspace, s.slug, :name, :visibility, :origin, :now, :now, false
                          from generate_series(1, 1000) n
                         cross join lateral (select left(:slug, 58) || case when n > 1 then '-' || n else '' end as slug) s
                         where not exists (select from machine x where x.workspace_id = :workspace and x.slug = s.slug)
                         order by n limit 1
                        returning machine_id
                        """)
                .bind("id", ExternalId.random("mac").value())
                .bind("workspace", workspace.value())
                .bind("slug", machine.slug())
                .bind("name", machine.name())
                .bind("visibility", visibility.wire())
                .bind("origin", machine.id())
                .bind("now", utc(now))
                .map(row -> number(row, "machine_id"))
                .one();
    }

    /** What the bundle says of it, unless a later run of it was imported before. */
    Mono<Void> describe(long machine, BundleRun run) {
        BundleRun.Machine said = run.machine();
        Qualification qualification = said.qualification();
        String host = said.fingerprintHash();
        boolean qualified = qualification != null && host != null && qualification.holdsFor(host);
        return database.sql("""
                        update machine m
                           set agent_version = :agent, fingerprint_hash = :fingerprint, class_hash = :class, class_label = :label,
                               fingerprint = :facts, qualification = :qualification, qualified_at = :qualified
                         where m.machine_id = :machine
                           and not exists (select from run r where r.machine_id = m.machine_id and r.created_at > :created)
                        """)
                .bind("machine", machine)
                .bind("agent", Parameter.fromOrEmpty(said.agentVersion(), String.class))
                .bind("fingerprint", Parameter.fromOrEmpty(said.fingerprintHash(), String.class))
                .bind("class", Parameter.fromOrEmpty(said.classHash(), String.class))
                .bind("label", Parameter.fromOrEmpty(said.classLabel(), String.class))
                .bind("facts", Json.of(json.writeValueAsString(said.facts())))
                .bind(
                        "qualification",
                        Parameter.fromOrEmpty(
                                qualification == null ? null : Json.of(json.writeValueAsString(qualification)),
                                Json.class))
                .bind(
                        "qualified",
                        Parameter.fromOrEmpty(
                                qualification != null && qualified ? utc(qualification.measuredAt()) : null,
                                OffsetDateTime.class))
                .bind(
                        "created",
                        utc(FieldChecks.instant("createdAt", run.course().createdAt())))
                .then();
    }

    /** What its host was, as far as it is not known yet. By machine_host_since_ix. */
    Mono<Void> addHosts(WorkspaceId workspace, long machine, List<BundleRun.Host> hosts) {
        return database.sql("""
                        insert into machine_host (workspace_id, machine_id, since, fingerprint_hash, agent_version, facts)
                        select :workspace, :machine, h.since, h."fingerprintHash", h."agentVersion", h.facts
                          from jsonb_to_recordset(:hosts) as h (since timestamptz, "fingerprintHash" text, "agentVersion" text, facts jsonb)
                         where not exists (select from machine_host o where o.machine_id = :machine and o.since = h.since
                                                                        and o.fingerprint_hash = h."fingerprintHash")
                        """)
                .bind("workspace", workspace.value())
                .bind("machine", machine)
                .bind("hosts", Json.of(json.writeValueAsString(hosts)))
                .then();
    }

    /**
     * Gives its internal key.
     *
     * @param control internal key of a build; null: none
     */
    Mono<Long> addRun(
            WorkspaceId workspace,
            String id,
            long machine,
            long matrix,
            BundleRun run,
            MatrixSpec spec,
            @Nullable Long control,
            Map<String, String> trials,
            String actor) {
        BundleRun.Course course = run.course();
        return database.sql("""
                        insert into run (external_id, workspace_id, machine_id, matrix_id, title, visibility, spec, notices, state, failure,
                                         fencing, attempts, progress, methodology, created_by, created_at, started_at, finished_at, follow_up,
                                         planned_trials, planned_seconds, reckoned_seconds, order_seed, control_build_id, look, pilot)
                        values (:id, :workspace, :machine, :matrix, :title, 'private', :spec, :notices, :state, :failure,
                                :fencing, :attempts, :progress, :methodology, :by, :created, :started, :finished, :follow,
                                :trials, :seconds, :reckoned, :seed, :control, :look, :pilot)
                        returning run_id
                        """)
                .bind("id", id)
                .bind("workspace", workspace.value())
                .bind("machine", machine)
                .bind("matrix", matrix)
                .bind("title", run.title())
                .bind("spec", stored(spec))
                .bind("notices", Json.of(json.writeValueAsString(run.notices())))
                .bind("state", course.state().wire())
                .bind("failure", Parameter.fromOrEmpty(course.failure(), String.class))
                .bind("fencing", course.fencing())
                .bind("attempts", course.attempts())
                .bind("progress", Json.of(json.writeValueAsString(progress(course.progress(), trials))))
                .bind("methodology", Methodology.VERSION)
                .bind("by", actor)
                .bind("created", utc(FieldChecks.instant("createdAt", course.createdAt())))
                .bind("started", Parameter.fromOrEmpty(utcOrNull(course.startedAt()), OffsetDateTime.class))
                .bind("finished", utc(course.finished()))
                .bind("follow", course.followUp())
                .bind("trials", Parameter.fromOrEmpty(course.plannedTrials(), Integer.class))
                .bind("seconds", Parameter.fromOrEmpty(course.plannedSeconds(), Double.class))
                .bind("reckoned", Parameter.fromOrEmpty(course.reckonedSeconds(), Double.class))
                .bind("seed", Parameter.fromOrEmpty(course.orderSeed(), Long.class))
                .bind("control", Parameter.fromOrEmpty(control, Long.class))
                .bind("look", Parameter.fromOrEmpty(course.look(), Integer.class))
                .bind("pilot", Parameter.fromOrEmpty(pilot(course.pilot()), Json.class))
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
                .bind("exported", utc(manifest.exported().instant()))
                .bind("now", utc(now))
                .bind("by", actor)
                .bind("sha256", sha256)
                .bind("bytes", bytes)
                .fetch()
                .rowsUpdated()
                .map(rows -> rows > 0);
    }

    /** How many scored trials cells were given after the first blocks. */
    Mono<Void> giveTrials(long run, List<BundleCell> cells) {
        List<BundleCell> given = cells.stream().filter(c -> c.scored() != null).toList();
        return given.isEmpty()
                ? Mono.empty()
                : database.sql("""
                    update cell c set scored = g.scored
                      from unnest(:ordinals::int[], :scored::int[]) as g (ordinal, scored)
                     where c.run_id = :run and c.ordinal = g.ordinal
                    """)
                        .bind("run", run)
                        .bind("ordinals", column(given, BundleCell::ordinal, Integer[]::new))
                        .bind("scored", column(given, BundleCell::scored, Integer[]::new))
                        .then();
    }

    /**
     * Before any of what they sent is stored. Gives their internal keys, by their ids here.
     *
     * @param ids by their ids there
     */
    Mono<Map<String, Long>> addTrials(
            long run, WorkspaceId workspace, List<BundleTrial> trials, Map<String, String> ids) {
        return database.sql("""
                        insert into trial (external_id, origin_id, workspace_id, run_id, cell_id, kind, ordinal, position, fencing, phase, late,
                                           cut_off)
                        select t.id, t.origin, :workspace, :run, c.cell_id, t.kind, t.ordinal, t.position, t.fencing, t.phase, t.late, t.cut_off
                          from unnest(:ids::text[], :origins::text[], :cells::int[], :kinds::text[], :ordinals::int[], :positions::int[],
                                      :fencings::bigint[], :phases::text[], :late::boolean[], :cutOff::boolean[])
                               as t (id, origin, cell, kind, ordinal, position, fencing, phase, late, cut_off)
                          join cell c on c.run_id = :run and c.ordinal = t.cell
                        returning external_id, trial_id
                        """)
                .bind("workspace", workspace.value())
                .bind("run", run)
                .bind("ids", column(trials, t -> ids.get(t.id()), String[]::new))
                .bind("origins", column(trials, BundleTrial::id, String[]::new))
                .bind("cells", column(trials, BundleTrial::cell, Integer[]::new))
                .bind("kinds", column(trials, t -> t.kind().wire(), String[]::new))
                .bind("ordinals", column(trials, BundleTrial::ordinal, Integer[]::new))
                .bind("positions", column(trials, BundleTrial::position, Integer[]::new))
                .bind("fencings", column(trials, BundleTrial::fencing, Long[]::new))
                .bind("phases", column(trials, t -> phase(t.phase()), String[]::new))
                .bind("late", column(trials, BundleTrial::late, Boolean[]::new))
                .bind("cutOff", column(trials, BundleTrial::cutOff, Boolean[]::new))
                .map(row -> Map.entry(text(row, "external_id"), number(row, "trial_id")))
                .all()
                .collectMap(Map.Entry::getKey, Map.Entry::getValue);
    }

    /** The service gave it up: its batches do not say so. */
    Mono<Void> abort(long trial, BundleTrial as) {
        return database.sql("""
                        update trial set state = :state, reason = :reason, finished_at = :at, phase = :phase where trial_id = :trial
                        """)
                .bind("trial", trial)
                .bind("state", TrialState.ABORTED.wire())
                .bind("reason", Parameter.fromOrEmpty(as.reason(), String.class))
                .bind("at", Parameter.fromOrEmpty(utcOrNull(as.finishedAt()), OffsetDateTime.class))
                .bind("phase", Parameter.fromOrEmpty(phase(as.phase()), String.class))
                .then();
    }

    /** Numbers have been made of it. */
    Mono<Void> samplesRemoved(long trial, String at) {
        return database.sql("update trial set samples_removed_at = :at where trial_id = :trial")
                .bind("trial", trial)
                .bind("at", utc(FieldChecks.instant("samplesRemovedAt", at)))
                .then();
    }

    /** As a matrix of this service is stored, so that protocols of the same phases are the same. */
    private Json stored(MatrixSpec spec) {
        return Json.of(json.writeValueAsString(spec));
    }

    private @Nullable Json pilot(BundleRun.@Nullable PilotLook look) {
        return look == null
                ? null
                : Json.of(json.writeValueAsString(new LinkedHashMap<>(Map.of(
                        "first", look.first(),
                        "budget", look.budget(),
                        "trials", look.trials(),
                        "spreads", new ArrayList<>(),
                        "cells", Map.of()))));
    }

    private static Progress progress(Progress said, Map<String, String> trials) {
        return new Progress(
                said.trialId() == null ? null : trials.get(said.trialId()),
                said.phase(),
                said.done(),
                said.total(),
                said.expectedEnd(),
                said.spooled());
    }

    private static @Nullable String phase(@Nullable Phase phase) {
        return phase == null ? null : phase.wire();
    }

    private static <R, T> T[] column(List<R> rows, Function<R, @Nullable T> value, IntFunction<T[]> array) {
        return rows.stream().map(value).toArray(array);
    }

    private static OffsetDateTime utc(Instant instant) {
        return instant.atOffset(ZoneOffset.UTC);
    }

    private static @Nullable OffsetDateTime utcOrNull(@Nullable String instant) {
        return instant == null ? null : utc(FieldChecks.instant("time", instant));
    }
}
