package dev.loomboard.runpages;

import static dev.loomboard.kernel.Rows.flag;
import static dev.loomboard.kernel.Rows.instant;
import static dev.loomboard.kernel.Rows.text;

import dev.loomboard.cell.RunState;
import dev.loomboard.kernel.Caller;
import dev.loomboard.kernel.VisibleSql;
import dev.loomboard.kernel.WireName;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.util.List;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;
import reactor.core.publisher.Mono;

/** Runs by the month in which they were made, in UTC. */
@Repository
class RunMonthStore {

    /** Of a month; more would be a page that nobody reads. */
    static final int MOST = 2000;

    /** Plan: run_created_ix, once for each month. */
    private static final String MONTHS = """
            with recursive known (month) as (
              (select date_trunc('month', r.created_at, 'UTC') from run r where visible(r) order by r.created_at desc limit 1)
              union all
              select (select date_trunc('month', r.created_at, 'UTC') from run r
                       where visible(r) and r.created_at < known.month order by r.created_at desc limit 1)
                from known where known.month is not null)
            select month from known where month is not null limit 240
            """;

    /** Plan: run_created_ix. */
    private static final String RUNS = """
            select r.external_id, r.title, r.state, r.visibility = 'public' as open, w.slug as workspace, m.slug as machine_slug,
                   m.name as machine_name, r.created_at
              from run r join workspace w using (workspace_id) join machine m on m.machine_id = r.machine_id
             where visible(r) and r.created_at >= :begin and r.created_at < :end
             order by r.created_at desc limit :most
            """;

    private final DatabaseClient database;

    RunMonthStore(DatabaseClient database) {
        this.database = database;
    }

    /** Those that have runs, newest first. */
    Mono<List<YearMonth>> months(Caller caller) {
        return VisibleSql.query(database, caller, MONTHS)
                .map(row -> YearMonth.from(instant(row, "month").atZone(ZoneOffset.UTC)))
                .all()
                .collectList();
    }

    /** Newest first, and one more than {@link #MOST} where there are more. */
    Mono<List<RunMonthPage.Row>> runs(Caller caller, YearMonth month) {
        return VisibleSql.query(database, caller, RUNS)
                .bind("begin", month.atDay(1).atStartOfDay().atOffset(ZoneOffset.UTC))
                .bind("end", month.plusMonths(1).atDay(1).atStartOfDay().atOffset(ZoneOffset.UTC))
                .bind("most", MOST + 1)
                .map(row -> new RunMonthPage.Row(
                        text(row, "external_id"),
                        text(row, "title"),
                        WireName.of(RunState.class, text(row, "state")),
                        flag(row, "open"),
                        text(row, "workspace"),
                        text(row, "machine_slug"),
                        text(row, "machine_name"),
                        instant(row, "created_at")))
                .all()
                .collectList();
    }
}
