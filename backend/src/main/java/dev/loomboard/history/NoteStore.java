package dev.loomboard.history;

import static dev.loomboard.kernel.Rows.number;
import static dev.loomboard.kernel.Rows.text;
import static dev.loomboard.kernel.Rows.textOrNull;

import dev.loomboard.cell.Jdk;
import dev.loomboard.kernel.Caller;
import dev.loomboard.kernel.ExternalId;
import dev.loomboard.kernel.Rows;
import dev.loomboard.kernel.VisibleSql;
import dev.loomboard.kernel.WorkspaceId;
import io.r2dbc.spi.Readable;
import java.time.LocalDate;
import java.util.List;
import java.util.Objects;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.r2dbc.core.Parameter;
import org.springframework.stereotype.Repository;
import reactor.core.publisher.Mono;

/** Keeps people's notes. What changes them is called within a transaction. */
@Repository
public class NoteStore {

    /** Of series that the caller sees, so by whomever they are. Plan: annotation_series_ix, primary keys. */
    public static final String NOTES = """
            select s.external_id as series, a.external_id, a.day, j.slug as build, j.runtime_version, a.note,
                   b.display_name as by
              from annotation a
              join series s on s.series_id = a.series_id
              join account b on b.account_id = a.created_by
              left join jdk_build j on j.jdk_build_id = a.jdk_build_id
             where a.series_id = any(:series::bigint[])
             order by a.day desc, a.annotation_id desc
             limit 200
            """;

    private final DatabaseClient database;

    public NoteStore(DatabaseClient database) {
        this.database = database;
    }

    /** @param series internal key */
    record Target(long series, WorkspaceId workspace) {}

    /**
     * The newest.
     *
     * @param series internal keys, of series that the caller sees
     */
    Mono<List<Note>> of(Long[] series) {
        return database.sql(NOTES)
                .bind("series", series)
                .map(NoteStore::note)
                .all()
                .collectList();
    }

    /** A series that the caller sees. Plan: series_external_id_uq. */
    Mono<Target> target(String series, Caller caller) {
        return VisibleSql.query(database, caller, """
                        select series_id, workspace_id from series
                         where external_id = :series and visible(series)
                        """)
                .bind("series", series)
                .map(row -> new Target(number(row, "series_id"), new WorkspaceId(number(row, "workspace_id"))))
                .one();
    }

    /** Its external id; none when the series has no point on such a build. Plan: point_build_ix. */
    Mono<String> add(Target target, NewNote note, Caller.Person person) {
        String id = ExternalId.random("ann").value();
        return database.sql("""
                        insert into annotation (external_id, workspace_id, series_id, jdk_build_id, day, note, created_by)
                        select :id, :workspace, :series, j.jdk_build_id, :day, :note, :person
                          from (values (1)) one left join jdk_build j on j.slug = :build
                         where :build::text is null
                            or exists (select 1 from point p where p.series_id = :series and p.jdk_build_id = j.jdk_build_id)
                        """)
                .bind("id", id)
                .bind("workspace", target.workspace().value())
                .bind("series", target.series())
                .bind("day", note.day())
                .bind("note", note.text())
                .bind("build", Parameter.fromOrEmpty(note.build(), String.class))
                .bind("person", person.account().value())
                .fetch()
                .rowsUpdated()
                .filter(rows -> rows > 0)
                .map(rows -> id);
    }

    /** What was removed; none: there is no such note on the series. */
    Mono<Removed> remove(Target target, String note) {
        return database.sql("""
                        delete from annotation where external_id = :note and series_id = :series and workspace_id = :workspace
                        returning day, note
                        """)
                .bind("note", note)
                .bind("series", target.series())
                .bind("workspace", target.workspace().value())
                .map(row ->
                        new Removed(Objects.requireNonNull(row.get("day", LocalDate.class)), Rows.text(row, "note")))
                .one();
    }

    record Removed(LocalDate day, String text) {}

    private static Note note(Readable row) {
        String version = textOrNull(row, "runtime_version");
        return new Note(
                text(row, "series"),
                text(row, "external_id"),
                Objects.requireNonNull(row.get("day", LocalDate.class)),
                textOrNull(row, "build"),
                version == null ? null : Jdk.shortVersion(version),
                text(row, "note"),
                text(row, "by"));
    }
}
