package dev.loomboard.runverdicts;

import static dev.loomboard.kernel.Rows.instant;
import static dev.loomboard.kernel.Rows.json;
import static dev.loomboard.kernel.Rows.text;
import static dev.loomboard.kernel.Rows.texts;
import static dev.loomboard.kernel.Rows.whole;

import dev.loomboard.cell.Limits;
import dev.loomboard.cell.RunState;
import dev.loomboard.kernel.Caller;
import dev.loomboard.kernel.VisibleSql;
import dev.loomboard.kernel.WireName;
import dev.loomboard.retracted.RetractedSql;
import dev.loomboard.verdict.TestDimension;
import dev.loomboard.verdict.VerdictStore;
import io.r2dbc.spi.Readable;
import java.util.List;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;
import reactor.core.publisher.Mono;

/** Reads what was declared of a run and what came of it. */
@Repository
class RunVerdictsStore {

    private static final String RUN = """
            select r.external_id as run, r.title, r.state, r.created_at, m.name as machine_name
              from run r join machine m on m.machine_id = r.machine_id
             where r.external_id = :run and visible(r)
            """;

    /** A retraction of either side's versions counts. Plan: run_external_id_uq, comparison_run_uq, primary keys, trial_cell_ix. */
    static final String TESTS = """
            select v.axis, v.metric, v.family_size, v.methodology, """ + VerdictStore.OUTCOME + """
            , ret.retracted, c.scenario_key,
                   c.external_id as a_cell, c.server as a_server, c.variant as a_variant, c.collector as a_collector,
                   c.jvm_options as a_options, c.limits as a_limits, k.slug as a_jdk,
                   d.external_id as b_cell, d.server as b_server, d.variant as b_variant, d.collector as b_collector,
                   d.jvm_options as b_options, d.limits as b_limits, l.slug as b_jdk
              from run r
              join comparison v on v.run_id = r.run_id
              join cell c on c.cell_id = v.baseline_cell_id
              join cell d on d.cell_id = v.candidate_cell_id
              join jdk_build k on k.jdk_build_id = c.jdk_build_id
              join jdk_build l on l.jdk_build_id = d.jdk_build_id
            """
            + RetractedSql.join(new RetractedSql.Result(
                    "any(array[c.server, d.server])",
                    "select t.server_digest from trial t where t.cell_id in (c.cell_id, d.cell_id)",
                    "c.workload",
                    "c.scenario_key",
                    "r.machine_id",
                    "r.run_id"))
            + """
             where r.external_id = :run and visible(r)
             order by v.ordinal limit 10000
            """;

    private final DatabaseClient database;

    RunVerdictsStore(DatabaseClient database) {
        this.database = database;
    }

    /** Empty: there is no such run, or the caller may not see it. Two queries. */
    Mono<RunVerdictsPage> find(String run, Caller caller) {
        return VisibleSql.query(database, caller, RUN)
                .bind("run", run)
                .map(row -> new RunVerdictsPage.Run(
                        text(row, "run"),
                        text(row, "title"),
                        WireName.of(RunState.class, text(row, "state")),
                        text(row, "machine_name"),
                        instant(row, "created_at")))
                .one()
                .flatMap(found -> tests(run, caller).map(tests -> RunVerdictsPage.of(found, tests)));
    }

    private Mono<List<RunVerdictsPage.Test>> tests(String run, Caller caller) {
        return VisibleSql.query(database, caller, TESTS)
                .bind("run", run)
                .map(RunVerdictsStore::test)
                .all()
                .collectList();
    }

    private static RunVerdictsPage.Test test(Readable row) {
        return new RunVerdictsPage.Test(
                TestDimension.of(text(row, "axis")),
                text(row, "scenario_key"),
                text(row, "metric"),
                side(row, "a_"),
                side(row, "b_"),
                whole(row, "family_size"),
                text(row, "methodology"),
                VerdictStore.outcome(row),
                RetractedSql.read(row));
    }

    private static RunVerdictsPage.Side side(Readable row, String prefix) {
        return new RunVerdictsPage.Side(
                text(row, prefix + "cell"),
                text(row, prefix + "server"),
                text(row, prefix + "variant"),
                text(row, prefix + "jdk"),
                text(row, prefix + "collector"),
                texts(row, prefix + "options"),
                Limits.of(json(row, prefix + "limits")).words());
    }
}
