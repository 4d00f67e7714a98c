package dev.loomboard.recompute;

import static dev.loomboard.kernel.Rows.number;
import static dev.loomboard.kernel.Rows.text;

import dev.loomboard.kernel.WireName;
import dev.loomboard.recompute.RollupCheck.Difference;
import dev.loomboard.stats.Methodology;
import java.util.List;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Service;
import org.springframework.transaction.ReactiveTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.reactive.TransactionalOperator;
import org.springframework.transaction.support.DefaultTransactionDefinition;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Makes the numbers of runs again from their raw record, beside those that are stored. Nothing stays changed. */
@Service
public class RollupCheckService {

    private static final int MOST_SHOWN = 20;

    /**
     * What was made of a run, a row of text each: the shortest decimals that give a double back show every bit of it.
     * Identities that are new each time are no part of it, nor is what was decided once and for all.
     */
    private static final String RECORD = """
            select 'percentiles' as kind, to_json(r)::text as line
              from (select t.trial_id, s.ordinal, s.percentiles from step s join trial t using (trial_id) where t.run_id = :run) r
            union all
            select 'operation', to_json(r)::text
              from (select t.trial_id, o.step, o.operation, o.metrics from step_operation o join trial t using (trial_id)
                     where t.run_id = :run) r
            union all
            select 'trial metric', to_json(m)::text from trial_metric m join trial t using (trial_id) where t.run_id = :run
            union all
            select 'point', regexp_replace(to_json(p)::text, '"point_id":[0-9]+,', '') from point p where p.run_id = :run
            union all
            select 'leaderboard entry', regexp_replace(to_json(e)::text, '"leaderboard_entry_id":[0-9]+,', '')
              from leaderboard_entry e where e.run_id = :run
            union all
            select 'change point', to_json(c)::text
              from (select c.series_id, c.jdk_build_id, c.good_build_id, c.point_id, c.q_hat, c.p, c.before, c.after, c.direction,
                           c.standing, c.methodology
                      from change_point c join point p using (point_id) where p.run_id = :run) c
            union all
            select 'rank', json_build_array(e.cell_id, r.best, r.worst, r.entries, r.nearest, r.run_spread, r.spread_assumed)::text
              from leaderboard_rank r join leaderboard_entry e using (leaderboard_entry_id) where e.run_id = :run
            union all
            select 'comparison', to_json(v)::text from comparison v where v.run_id = :run
            """;

    private final DatabaseClient database;
    private final RecomputeService rollup;
    private final TransactionalOperator undone;

    public RollupCheckService(
            DatabaseClient database, RecomputeService rollup, ReactiveTransactionManager transactions) {
        this.database = database;
        this.rollup = rollup;
        DefaultTransactionDefinition definition = new DefaultTransactionDefinition();
        // What other runs do to the leaderboard meanwhile is no difference.
        definition.setIsolationLevel(TransactionDefinition.ISOLATION_REPEATABLE_READ);
        this.undone = TransactionalOperator.create(transactions, definition);
    }

    /**
     * Whether a run's histograms are no longer kept, so that nothing can be made again: then they have no bytes, which no
     * upload ever has. Plan: trial_run_ix, step_ordinal_uq.
     */
    static final String WITHOUT_RAW = """
            coalesce((select length(s.service) = 0 from trial t join step s using (trial_id)
                       where t.run_id = run.run_id order by t.position limit 1), false)
            """;

    /** How many runs that are over hold summaries alone. */
    public Mono<Long> withoutRaw() {
        return database.sql("select count(*) as runs from run where state in ('done', 'failed', 'cancelled') and "
                        + WITHOUT_RAW)
                .map(row -> number(row, "runs"))
                .one();
    }

    /** Every run that is over, was made by this methodology and has its raw record, the oldest first, one after the other. */
    public Flux<RollupCheck> all() {
        return database.sql("""
                        select run_id, external_id, title from run
                         where state in ('done', 'failed', 'cancelled') and methodology = :version and not
                        """ + WITHOUT_RAW + " order by run_id")
                .bind("version", Methodology.VERSION)
                .map(row -> new Run(number(row, "run_id"), text(row, "external_id"), text(row, "title")))
                .all()
                .collectList()
                .flatMapIterable(runs -> runs)
                .concatMap(this::check);
    }

    /** Of how many trials the numbers are taken as they are stored, since their raw samples are no more. */
    public Mono<Long> withoutSamples() {
        return database.sql("select count(*) as trials from trial where samples_removed_at is not null")
                .map(row -> number(row, "trials"))
                .one();
    }

    /** How many runs are still as an earlier methodology made them: the service makes them again when it starts. */
    public Mono<Long> ofOtherMethodology() {
        return database.sql("select count(*) as runs from run where methodology <> :version")
                .bind("version", Methodology.VERSION)
                .map(row -> number(row, "runs"))
                .one();
    }

    private record Run(long runId, String externalId, String title) {}

    private Mono<RollupCheck> check(Run run) {
        return undone.execute(transaction -> {
                    transaction.setRollbackOnly();
                    return keep(run.runId())
                            .flatMap(rows -> rollup.recompute(run.runId())
                                    .then(differences(run.runId()))
                                    .map(found -> new RollupCheck(run.externalId(), run.title(), rows, found)));
                })
                .single();
    }

    private Mono<Long> keep(long runId) {
        return database.sql("create temporary table kept (kind text not null, line text not null) on commit drop")
                .then()
                .then(Mono.defer(() -> database.sql("insert into kept " + RECORD)
                        .bind("run", runId)
                        .fetch()
                        .rowsUpdated()));
    }

    private Mono<List<Difference>> differences(long runId) {
        return database.sql("with again as (" + RECORD + """
                        )
                        select kind, line, true as stored from (select kind, line from kept except all select kind, line from again) gone
                        union all
                        select kind, line, false from (select kind, line from again except all select kind, line from kept) new
                        order by kind, line limit :most
                        """)
                .bind("run", runId)
                .bind("most", MOST_SHOWN)
                .map(row -> new Difference(
                        WireName.of(RollupCheck.Kind.class, text(row, "kind")),
                        text(row, "line"),
                        Boolean.TRUE.equals(row.get("stored", Boolean.class))))
                .all()
                .collectList();
    }
}
