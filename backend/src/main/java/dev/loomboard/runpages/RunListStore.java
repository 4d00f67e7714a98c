package dev.loomboard.runpages;

import static dev.loomboard.kernel.Rows.flag;
import static dev.loomboard.kernel.Rows.instant;
import static dev.loomboard.kernel.Rows.instantOrNull;
import static dev.loomboard.kernel.Rows.text;
import static dev.loomboard.kernel.Rows.texts;
import static dev.loomboard.kernel.Rows.whole;

import dev.loomboard.cell.RunState;
import dev.loomboard.cell.Visibility;
import dev.loomboard.kernel.Caller;
import dev.loomboard.kernel.VisibleSql;
import dev.loomboard.kernel.WireName;
import io.r2dbc.spi.Readable;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;
import reactor.core.publisher.Mono;

/** The list of runs. */
@Repository
class RunListStore {

    static final int PAGE = 30;

    /** Plan: run_workspace_created_ix per workspace, or run_machine_created_ix of one machine; trial_run_ix, comparison_run_uq and cell_ordinal_uq for 31 runs. */
    private static final String RUNS = """
            select r.external_id, w.slug as workspace, r.title, r.state, r.visibility, m.slug as machine_slug,
                   m.name as machine_name, r.created_at, r.finished_at,
                   exists (select from imported_run i where i.run_id = r.run_id) as imported,
                   c.trials, c.done, c.invalid, c.failed, c.aborted, v.tests, v.slower, v.faster, v.fails_more, v.fails_less,
                   array(select j.slug from (select distinct x.jdk_build_id from cell x where x.run_id = r.run_id) x join jdk_build j using (jdk_build_id)
                          where j.feature > 0 order by j.build_order desc, j.slug) as builds
              from run r join workspace w using (workspace_id) join machine m on m.machine_id = r.machine_id
              cross join lateral (
                select count(*)::int as trials,
                       count(*) filter (where t.state = 'done' and t.validity is distinct from 'invalid')::int as done,
                       count(*) filter (where t.state = 'done' and t.validity = 'invalid')::int as invalid,
                       count(*) filter (where t.state = 'failed')::int as failed,
                       count(*) filter (where t.state = 'aborted')::int as aborted
                  from trial t
                 where t.run_id = r.run_id and (t.fencing = r.fencing or t.state in ('done', 'failed', 'aborted'))) c
              cross join lateral (
                select count(v.verdict)::int as tests,
                       count(*) filter (where v.verdict = 'slower')::int as slower,
                       count(*) filter (where v.verdict = 'faster')::int as faster,
                       count(*) filter (where v.verdict = 'fails more')::int as fails_more,
                       count(*) filter (where v.verdict = 'fails less')::int as fails_less
                  from comparison v where v.run_id = r.run_id) v
             where visible(r) and r.created_at < :before
            """;

    private static final String OF_STATE = " and r.state = :state";
    private static final String ON_MACHINE =
            " and r.machine_id = (select machine_id from machine where external_id = :machine)";
    private static final String NEWEST = " order by r.created_at desc limit :most";

    private final DatabaseClient database;

    RunListStore(DatabaseClient database) {
        this.database = database;
    }

    /**
     * One page and one row more.
     *
     * @param before runs made before this
     */
    Mono<List<RunListPage.Row>> list(Caller caller, RunFilter filter, Instant before) {
        RunState state = filter.state();
        String machine = filter.machine();
        String sql = RUNS + (state == null ? "" : OF_STATE) + (machine == null ? "" : ON_MACHINE) + NEWEST;
        var query = VisibleSql.query(database, caller, sql)
                .bind("before", before.atOffset(ZoneOffset.UTC))
                .bind("most", PAGE + 1);
        query = state == null ? query : query.bind("state", state.wire());
        query = machine == null ? query : query.bind("machine", machine);
        return query.map(RunListStore::row).all().collectList();
    }

    private static RunListPage.Row row(Readable row) {
        return new RunListPage.Row(
                text(row, "external_id"),
                text(row, "workspace"),
                text(row, "title"),
                WireName.of(RunState.class, text(row, "state")),
                WireName.of(Visibility.class, text(row, "visibility")),
                text(row, "machine_slug"),
                text(row, "machine_name"),
                instant(row, "created_at"),
                instantOrNull(row, "finished_at"),
                flag(row, "imported"),
                new TrialCounts(
                        whole(row, "trials"),
                        whole(row, "done"),
                        whole(row, "invalid"),
                        whole(row, "failed"),
                        whole(row, "aborted")),
                texts(row, "builds"),
                new RunListPage.Changes(
                        whole(row, "tests"),
                        whole(row, "slower"),
                        whole(row, "faster"),
                        whole(row, "fails_more"),
                        whole(row, "fails_less")));
    }
}
