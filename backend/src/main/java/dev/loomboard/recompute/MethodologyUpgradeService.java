package dev.loomboard.recompute;

import static dev.loomboard.kernel.Rows.flag;
import static dev.loomboard.kernel.Rows.number;
import static dev.loomboard.kernel.Rows.text;

import dev.loomboard.ranking.RankService;
import dev.loomboard.rollup.CellStore;
import dev.loomboard.stats.Methodology;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Service;
import org.springframework.transaction.reactive.TransactionalOperator;
import reactor.core.publisher.Mono;

/**
 * Makes the results of an earlier methodology again by this one, so that those of two are never mixed. Until a run's turn
 * has come its rows do not rank and say why; the newest run comes first. What it needs is in the raw record; where that is
 * no longer kept, the numbers that mean something else now are missing from then on.
 */
@Service
public class MethodologyUpgradeService {

    private static final Logger LOG = LoggerFactory.getLogger(MethodologyUpgradeService.class);

    /** What methodology 1 made of all that was ever answered, of differences of large values, and of failures at the time they took. */
    private static final String OF_OTHER_MEANING = """
            delete from trial_metric m using trial t join cell c using (cell_id) join run r on r.run_id = t.run_id
             where t.trial_id = m.trial_id and t.run_id = :run and r.methodology = '1' and c.load ->> 'profile' <> 'closed'
               and (m.metric in ('throughput_per_s', 'throughput_per_core', 'throughput_per_gib', 'cpu_us_per_request')
                    or m.metric like 'response_excess%' and c.declared_delay_ms > 0
                    or m.metric like 'response%' and exists (
                         select 1 from trial_metric f where f.trial_id = t.trial_id and f.metric = 'error_ratio' and f.value > 0))
            """;

    private final DatabaseClient database;
    private final RecomputeService recompute;
    private final CellStore cells;
    private final RankService ranks;
    private final TransactionalOperator transaction;

    public MethodologyUpgradeService(
            DatabaseClient database,
            RecomputeService recompute,
            CellStore cells,
            RankService ranks,
            TransactionalOperator transaction) {
        this.database = database;
        this.recompute = recompute;
        this.cells = cells;
        this.ranks = ranks;
        this.transaction = transaction;
    }

    /**
     * @param over it ended
     * @param raw its histograms and samples are kept
     */
    private record OldRun(long runId, String externalId, boolean over, boolean raw) {}

    /**
     * One run after the other, each in a transaction of its own.
     *
     * @return how many were made again
     */
    public Mono<Long> upgrade() {
        return unrank().then(rankIncomplete())
                .then(runs())
                .flatMapIterable(runs -> runs)
                .concatMap(run -> again(run)
                        .as(transaction::transactional)
                        .thenReturn(1L)
                        .onErrorResume(e -> {
                            LOG.error(
                                    "run {} could not be recomputed by methodology {}",
                                    run.externalId(),
                                    Methodology.VERSION,
                                    e);
                            return Mono.just(0L);
                        }))
                .reduce(0L, Long::sum)
                .doOnNext(made -> {
                    if (made > 0) {
                        LOG.info("{} runs were recomputed by methodology {}", made, Methodology.VERSION);
                    }
                });
    }

    private Mono<Void> unrank() {
        return database.sql("""
                        with old as (
                          update leaderboard_entry e
                             set standing = 'unranked',
                                 reasons = array['made by methodology ' || r.methodology || ', and not yet again by ' || :version]
                            from run r
                           where r.run_id = e.run_id and r.methodology <> :version
                          returning e.leaderboard_entry_id)
                        delete from leaderboard_rank r using old where old.leaderboard_entry_id = r.leaderboard_entry_id
                        """).bind("version", Methodology.VERSION).then();
    }

    private Mono<Void> rankIncomplete() {
        return ranks.incomplete()
                .collectList()
                .flatMapIterable(boards -> boards)
                .concatMap(board -> ranks.rank(List.of(board)).as(transaction::transactional))
                .then();
    }

    private Mono<List<OldRun>> runs() {
        return database.sql("select run_id, external_id, state in ('done', 'failed', 'cancelled') as over, not "
                        + RollupCheckService.WITHOUT_RAW
                        + " and not exists (select from trial t where t.run_id = run.run_id and t.samples_removed_at is not null)"
                        + " as raw from run where methodology <> :version order by run_id desc")
                .bind("version", Methodology.VERSION)
                .map(row -> new OldRun(
                        number(row, "run_id"), text(row, "external_id"), flag(row, "over"), flag(row, "raw")))
                .all()
                .collectList();
    }

    private Mono<Void> again(OldRun run) {
        Mono<Void> made = run.raw()
                ? recompute.again(run.runId(), run.over())
                : database.sql(OF_OTHER_MEANING)
                        .bind("run", run.runId())
                        .then()
                        .then(cells.ofRun(run.runId()).collectList())
                        .flatMap(ids -> recompute.cellsAgain(run.runId(), ids));
        return made.then(database.sql("update run set methodology = :version where run_id = :run")
                .bind("version", Methodology.VERSION)
                .bind("run", run.runId())
                .then());
    }
}
