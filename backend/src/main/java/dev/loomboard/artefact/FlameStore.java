package dev.loomboard.artefact;

import static dev.loomboard.kernel.Rows.text;
import static dev.loomboard.kernel.Rows.textOrNull;

import dev.loomboard.cell.JdkSql;
import dev.loomboard.kernel.Caller;
import dev.loomboard.kernel.VisibleSql;
import io.r2dbc.spi.Readable;
import java.util.Objects;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;
import reactor.core.publisher.Mono;

/** Reads the stacks of a cell's diagnostic trial. */
@Repository
class FlameStore {

    /** Of several trials the first that left stacks. Plan: cell_external_id_uq, trial_cell_ix, artefact_pk, primary keys. */
    static final String SIDE = """
            select c.external_id as cell, r.external_id as run, c.server, c.variant, c.scenario_key,
                   """ + JdkSql.COLUMNS + """
                   , d.trial, d.content
              from cell c join run r using (run_id) join jdk_build j using (jdk_build_id)
              left join lateral (
                select t.external_id as trial, a.content
                  from trial t left join artefact a on a.trial_id = t.trial_id and a.name = 'stacks.txt'
                 where t.cell_id = c.cell_id and t.kind = 'diagnostic' and t.state = 'done' and not t.late
                 order by coalesce(a.bytes, 0) = 0, t.ordinal, t.trial_id limit 1) d on true
             where c.external_id = :cell and visible(r)
            """;

    private final DatabaseClient database;

    FlameStore(DatabaseClient database) {
        this.database = database;
    }

    /** @param content collapsed stacks; empty: there are none */
    record Stacks(Flames.Side side, byte[] content) {}

    /** Empty when there is no such cell, or the caller may not see it. */
    Mono<Stacks> stacks(String cell, Caller caller) {
        return VisibleSql.query(database, caller, SIDE)
                .bind("cell", cell)
                .map(FlameStore::stacks)
                .one();
    }

    private static Stacks stacks(Readable row) {
        byte[] content = Objects.requireNonNullElse(row.get("content", byte[].class), new byte[0]);
        return new Stacks(
                new Flames.Side(
                        text(row, "cell"),
                        text(row, "run"),
                        text(row, "server"),
                        text(row, "variant"),
                        text(row, "scenario_key"),
                        JdkSql.read(row),
                        textOrNull(row, "trial"),
                        content.length > 0),
                content);
    }
}
