package dev.loomboard.firststeps;

import static dev.loomboard.kernel.Rows.flag;
import static dev.loomboard.kernel.Rows.text;

import dev.loomboard.cell.RunState;
import dev.loomboard.kernel.Caller;
import dev.loomboard.kernel.VisibleSql;
import dev.loomboard.kernel.WireName;
import io.r2dbc.spi.Readable;
import java.util.Map;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;
import reactor.core.publisher.Mono;

/** What there is of a person's, and whether there is any result. */
@Repository
class FirstStepsStore {

    private final DatabaseClient database;

    FirstStepsStore(DatabaseClient database) {
        this.database = database;
    }

    /** Of the caller's workspaces. */
    record Had(boolean results, boolean scheduled) {}

    Mono<Had> had(Caller.Person person) {
        return VisibleSql.query(database, person, """
                        select exists (select from leaderboard_entry e where e.workspace_id = any(:mine)) as results,
                               exists (select from schedule s where s.workspace_id = any(:mine)) as scheduled
                        """)
                .map(row -> new Had(flag(row, "results"), flag(row, "scheduled")))
                .one();
    }

    /** The newest of the caller's workspaces, by run_workspace_created_ix. */
    Mono<FirstSteps.Run> run(Caller.Person person) {
        return VisibleSql.query(database, person, """
                        select r.external_id, r.title, r.state from run r
                         where r.workspace_id = any(:mine) order by r.created_at desc limit 1
                        """)
                .map(row -> new FirstSteps.Run(
                        text(row, "external_id"), text(row, "title"), WireName.of(RunState.class, text(row, "state"))))
                .one();
    }

    /** Presets that the person may see, by slug. */
    Mono<Map<String, FirstSteps.Matrix>> presets(Caller.Person person) {
        return VisibleSql.query(database, person, """
                        select x.external_id, w.slug as workspace, x.slug, x.title
                          from matrix x join workspace w using (workspace_id)
                         where x.archived_at is null and x.preset_source is not null and visible(x)
                        """)
                .map(FirstStepsStore::matrix)
                .all()
                .collectMap(FirstSteps.Matrix::slug);
    }

    private static FirstSteps.Matrix matrix(Readable row) {
        return new FirstSteps.Matrix(
                text(row, "external_id"), text(row, "workspace"), text(row, "slug"), text(row, "title"));
    }
}
