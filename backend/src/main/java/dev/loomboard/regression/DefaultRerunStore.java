package dev.loomboard.regression;

import static dev.loomboard.kernel.Rows.flag;
import static dev.loomboard.kernel.Rows.text;
import static dev.loomboard.kernel.Rows.texts;
import static dev.loomboard.kernel.Rows.whole;

import dev.loomboard.cell.RunState;
import dev.loomboard.kernel.Caller;
import dev.loomboard.kernel.VisibleSql;
import dev.loomboard.kernel.WireName;
import dev.loomboard.verdict.VerdictStore;
import io.r2dbc.spi.Readable;
import java.util.List;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Reruns with defaults as before. */
@Repository
class DefaultRerunStore {

    private static final int MOST = 200;

    private final DatabaseClient database;

    DefaultRerunStore(DatabaseClient database) {
        this.database = database;
    }

    /** Notes the run, and of its family the test that answers the change. Plan: comparison_run_uq, primary keys. */
    Mono<Void> add(long change, long run, List<String> flags, List<String> options) {
        return database.sql("""
                        insert into default_rerun (workspace_id, change_point_id, run_id, comparison_id, flags, options)
                        select cp.workspace_id, cp.change_point_id, v.run_id, v.comparison_id, :flags, :options
                          from change_point cp join series s using (series_id) join point p using (point_id)
                          join cell o on o.cell_id = p.cell_id
                          join comparison v on v.run_id = :run and v.axis = 'jdk' and v.metric = s.metric
                          join cell b on b.cell_id = v.baseline_cell_id
                         where cp.change_point_id = :change
                           and (b.server, b.variant, b.scenario_key, b.collector, b.limits)
                             = (o.server, o.variant, o.scenario_key, o.collector, o.limits)
                        """)
                .bind("change", change)
                .bind("run", run)
                .bind("flags", flags.toArray(String[]::new))
                .bind("options", options.toArray(String[]::new))
                .then();
    }

    /** Of a change, in the order in which they were asked for. Plan: default_rerun_change_point_ix. */
    Flux<DefaultRerun> of(Caller caller, long change) {
        return VisibleSql.query(database, caller, """
                        select d.flags, d.options, rr.external_id as run, rr.state, v.family_size,
                               b.jdk_build_id = cp.jdk_build_id as turned, """ + VerdictStore.OUTCOME + """
                          from default_rerun d join change_point cp using (change_point_id)
                          join run rr on rr.run_id = d.run_id
                          join comparison v on v.comparison_id = d.comparison_id
                          join cell b on b.cell_id = v.baseline_cell_id
                         where d.change_point_id = :change and visible(rr)
                         order by d.default_rerun_id limit :most
                        """)
                .bind("change", change)
                .bind("most", MOST)
                .map(DefaultRerunStore::rerun)
                .all();
    }

    private static DefaultRerun rerun(Readable row) {
        var outcome = VerdictStore.outcome(row);
        return new DefaultRerun(
                texts(row, "flags"),
                texts(row, "options"),
                text(row, "run"),
                WireName.of(RunState.class, text(row, "state")),
                whole(row, "family_size"),
                outcome == null || !flag(row, "turned") ? outcome : outcome.turned());
    }
}
