package dev.loomboard.matrix;

import static dev.loomboard.kernel.Rows.flag;
import static dev.loomboard.kernel.Rows.instant;
import static dev.loomboard.kernel.Rows.json;
import static dev.loomboard.kernel.Rows.number;
import static dev.loomboard.kernel.Rows.text;

import dev.loomboard.cell.Visibility;
import dev.loomboard.kernel.Caller;
import dev.loomboard.kernel.ExternalId;
import dev.loomboard.kernel.VisibleSql;
import dev.loomboard.kernel.WireName;
import dev.loomboard.kernel.WorkspaceId;
import io.r2dbc.postgresql.codec.Json;
import io.r2dbc.spi.Readable;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Optional;
import java.util.Set;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/** Matrices. What a caller may not see is not found. */
@Repository
public class MatrixStore {

    /** Of the workspace that every installation has; presets belong to it. */
    private static final String DEFAULT_WORKSPACE = "main";

    /** By unique index (workspace_id, slug). */
    private static final String SELECT = """
            select x.matrix_id, x.workspace_id, x.external_id, w.slug as workspace, x.slug, x.title, x.visibility, x.spec,
                   x.source, x.updated_at
              from matrix x join workspace w using (workspace_id)
             where x.archived_at is null and visible(x)
            """;

    private final DatabaseClient database;
    private final JsonMapper json;

    MatrixStore(DatabaseClient database, JsonMapper json) {
        this.database = database;
        this.json = json;
    }

    /** Without those of our tools, which are found by name, and those that another version stored and this one does not understand. */
    public Flux<Matrix> listed(Caller caller) {
        return VisibleSql.query(database, caller, SELECT + " and x.listed order by w.slug, x.slug limit 500")
                .map(this::understood)
                .all()
                .flatMap(Mono::justOrEmpty);
    }

    private Optional<Matrix> understood(Readable row) {
        try {
            return Optional.of(matrix(row));
        } catch (JacksonException e) {
            return Optional.empty();
        }
    }

    public Mono<Matrix> find(Caller caller, String workspace, String slug) {
        return VisibleSql.query(database, caller, SELECT + " and w.slug = :workspace and x.slug = :slug")
                .bind("workspace", workspace)
                .bind("slug", slug)
                .map(this::matrix)
                .one();
    }

    /** A matrix of a workspace, whatever its visibility: for callers that act within it. */
    public Mono<Matrix> ofWorkspace(WorkspaceId workspace, String slug) {
        return VisibleSql.query(
                        database, Set.of(workspace), SELECT + " and x.workspace_id = :workspace and x.slug = :slug")
                .bind("workspace", workspace.value())
                .bind("slug", slug)
                .map(this::matrix)
                .one();
    }

    /** By internal key, for what refers to it, such as a schedule. */
    public Mono<Matrix> byKey(long key) {
        return database.sql("""
                        select x.matrix_id, x.workspace_id, x.external_id, w.slug as workspace, x.slug, x.title,
                               x.visibility, x.spec, x.source, x.updated_at
                          from matrix x join workspace w using (workspace_id) where x.matrix_id = :key
                        """).bind("key", key).map(this::matrix).one();
    }

    /** Adds a matrix under its own name; empty when that is taken. Gives its external id. */
    Mono<String> add(WorkspaceId workspace, MatrixSpec spec, String source, Visibility visibility) {
        return database.sql("""
                        insert into matrix (external_id, workspace_id, slug, title, spec, source, visibility)
                        values (:id, :workspace, :slug, :title, :spec, :source, :visibility)
                        on conflict (workspace_id, slug) do nothing
                        returning external_id
                        """)
                .bind("id", ExternalId.random("mtx").value())
                .bind("workspace", workspace.value())
                .bind("slug", spec.name())
                .bind("title", spec.title())
                .bind("spec", Json.of(json.writeValueAsString(spec)))
                .bind("source", source)
                .bind("visibility", visibility.wire())
                .map(row -> text(row, "external_id"))
                .one();
    }

    /** Its name stays: histories and schedules know it by that. */
    Mono<Void> change(Matrix matrix, MatrixSpec spec, String source, Instant now) {
        return database.sql("""
                        update matrix set title = :title, spec = :spec, source = :source, updated_at = :now
                         where matrix_id = :key
                        """)
                .bind("title", spec.title())
                .bind("spec", Json.of(json.writeValueAsString(spec)))
                .bind("source", source)
                .bind("now", now.atOffset(ZoneOffset.UTC))
                .bind("key", matrix.key())
                .then();
    }

    /**
     * Whether the protocol's name stands for other phases already, in a run or in another matrix of any workspace: boards and
     * histories know protocols by their names. Plan: run_protocol_ix; matrices are few.
     *
     * @param except the matrix that is changed, by internal key; 0: none is
     */
    public Mono<Boolean> protocolDiffers(MatrixSpec spec, long except) {
        return database.sql("""
                        select exists (select 1 from run r where r.spec ->> 'protocol' = :protocol and r.spec -> 'phases' <> :phases)
                            or exists (select 1 from matrix x where x.spec ->> 'protocol' = :protocol and x.spec -> 'phases' <> :phases
                                          and x.matrix_id <> :except) as differs
                        """)
                .bind("protocol", spec.protocol())
                .bind("phases", Json.of(json.writeValueAsString(spec.phases())))
                .bind("except", except)
                .map(row -> flag(row, "differs"))
                .one();
    }

    /**
     * Puts what ships with the service into the default workspace. What it put there before is replaced; what an owner edited
     * or made under that name stays theirs.
     *
     * @param listed for people; false: only our tools ask for it, by its name
     */
    public Mono<Void> putPreset(MatrixSpec spec, String source, boolean listed) {
        return database.sql("""
                        insert into matrix (external_id, workspace_id, slug, title, spec, source, preset_source, visibility,
                                            stated_visibility, listed)
                        select :id, workspace_id, :slug, :title, :spec, :source, :source, visibility, 'public', :listed
                          from workspace where slug = :workspace
                        on conflict (workspace_id, slug) do update
                          set title = excluded.title, spec = excluded.spec, source = excluded.source,
                              preset_source = excluded.source, listed = excluded.listed, updated_at = now()
                          where matrix.source = matrix.preset_source
                                and (matrix.source <> excluded.source or matrix.listed <> excluded.listed)
                        """)
                .bind("id", ExternalId.random("mtx").value())
                .bind("slug", spec.name())
                .bind("title", spec.title())
                .bind("spec", Json.of(json.writeValueAsString(spec)))
                .bind("source", source)
                .bind("workspace", DEFAULT_WORKSPACE)
                .bind("listed", listed)
                .then();
    }

    private Matrix matrix(Readable row) {
        return new Matrix(
                new Matrix.Internals(
                        number(row, "matrix_id"), new WorkspaceId(number(row, "workspace_id")), text(row, "source")),
                text(row, "external_id"),
                text(row, "workspace"),
                text(row, "slug"),
                text(row, "title"),
                WireName.of(Visibility.class, text(row, "visibility")),
                json.readValue(json(row, "spec"), MatrixSpec.class),
                instant(row, "updated_at"));
    }
}
