package dev.loomboard.artefact;

import static dev.loomboard.kernel.Rows.number;
import static dev.loomboard.kernel.Rows.text;

import dev.loomboard.kernel.Caller;
import dev.loomboard.kernel.MachineId;
import dev.loomboard.kernel.VisibleSql;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Objects;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;
import reactor.core.publisher.Mono;
import tools.jackson.databind.json.JsonMapper;

/** Artefacts in the database. Empty for callers who may not see the trial's run. */
@Repository
public class ArtefactStore {

    private static final String VISIBLE = " and visible(r)";

    private final DatabaseClient database;
    private final JsonMapper json;

    ArtefactStore(DatabaseClient database, JsonMapper json) {
        this.database = database;
        this.json = json;
    }

    public record Trial(long key, long workspace) {}

    /** A machine's trial, locked against other uploads to it; empty: the machine has no such trial. By trial_external_id_uq. */
    Mono<Trial> lock(MachineId machine, String trialId) {
        return database.sql("""
                        select t.trial_id, r.workspace_id
                          from trial t join run r using (run_id)
                         where t.external_id = :trial and r.machine_id = :machine
                         for no key update of t
                        """)
                .bind("trial", trialId)
                .bind("machine", machine.value())
                .map(row -> new Trial(number(row, "trial_id"), number(row, "workspace_id")))
                .one();
    }

    /** True: the very same is stored; false: another is; empty: none. By artefact_pk. */
    Mono<Boolean> same(long trial, ArtefactName name, byte[] sha256) {
        return database.sql("select sha256 from artefact where trial_id = :trial and name = :name")
                .bind("trial", trial)
                .bind("name", name.file())
                .map(row -> Arrays.equals(Objects.requireNonNull(row.get("sha256", byte[].class)), sha256))
                .one();
    }

    public Mono<Void> add(Trial trial, Upload.Sound artefact) {
        return database.sql("""
                        insert into artefact (trial_id, name, workspace_id, sha256, bytes, content)
                        values (:trial, :name, :workspace, :sha256, :bytes, :content)
                        """)
                .bind("trial", trial.key())
                .bind("name", artefact.name().file())
                .bind("workspace", trial.workspace())
                .bind("sha256", artefact.sha256())
                .bind("bytes", artefact.content().length)
                .bind("content", artefact.content())
                .then();
    }

    /** @param bytes size of the content */
    record Stored(long trial, ArtefactName name, long bytes) {}

    /** An artefact that the caller may have. By trial_external_id_uq and artefact_pk. */
    Mono<Stored> find(String trialId, ArtefactName name, Caller caller) {
        return VisibleSql.query(database, caller, """
                        select a.trial_id, a.bytes::bigint as bytes
                          from trial t join run r using (run_id) join artefact a using (trial_id)
                         where t.external_id = :trial and a.name = :name
                        """ + VISIBLE)
                .bind("trial", trialId)
                .bind("name", name.file())
                .map(row -> new Stored(number(row, "trial_id"), name, number(row, "bytes")))
                .one();
    }

    /** A part of its content. By artefact_pk; the content is not packed, so no other part of it is read. */
    Mono<byte[]> part(Stored artefact, long from, int bytes) {
        return database.sql("""
                        select substring(content from :first for :bytes) as part
                          from artefact where trial_id = :trial and name = :name
                        """)
                .bind("first", Math.toIntExact(from + 1))
                .bind("bytes", bytes)
                .bind("trial", artefact.trial())
                .bind("name", artefact.name().file())
                .map(row -> Objects.requireNonNull(row.get("part", byte[].class)))
                .one();
    }

    /** What the page of a trial shows; of a trial without artefacts {@link Diagnostics#NONE}. By the same indexes. */
    public Mono<Diagnostics> ofTrial(String trialId, Caller caller) {
        return VisibleSql.query(database, caller, """
                        select a.name, a.bytes::bigint as bytes, a.sha256, case when a.name like '%.json' then a.content end as content
                          from trial t join run r using (run_id) join artefact a using (trial_id)
                         where t.external_id = :trial
                        """ + VISIBLE + " order by a.name limit 10")
                .bind("trial", trialId)
                .map(row -> new Row(
                        ArtefactName.of(text(row, "name")).orElseThrow(),
                        number(row, "bytes"),
                        HexFormat.of().formatHex(Objects.requireNonNull(row.get("sha256", byte[].class))),
                        Objects.requireNonNullElse(row.get("content", byte[].class), new byte[0])))
                .all()
                .collectList()
                .map(rows -> new Diagnostics(
                        rows.stream()
                                .filter(r -> r.name == ArtefactName.DIAGNOSIS)
                                .map(r -> json.readValue(r.content, Diagnosis.class))
                                .findFirst()
                                .orElse(null),
                        rows.stream()
                                .filter(r -> r.name == ArtefactName.CLASSES)
                                .map(r -> json.readValue(r.content, Classes.class))
                                .findFirst()
                                .orElse(null),
                        rows.stream()
                                .map(r -> new Diagnostics.File(r.name, r.bytes, r.sha256))
                                .toList()));
    }

    private record Row(ArtefactName name, long bytes, String sha256, byte[] content) {}
}
