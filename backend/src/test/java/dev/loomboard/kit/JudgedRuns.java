package dev.loomboard.kit;

import dev.loomboard.recompute.RecomputeService;
import dev.loomboard.verdict.DeclaredTest;
import dev.loomboard.verdict.VerdictService;
import dev.loomboard.verdict.VerdictStore;
import java.time.Duration;
import java.util.List;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.transaction.reactive.TransactionalOperator;
import reactor.core.publisher.Mono;
import tools.jackson.databind.json.JsonMapper;

/** Runs on a machine of their own, rolled up and judged as the application does, each step in a transaction. */
final class JudgedRuns {

    private static final Duration TIMEOUT = Duration.ofMinutes(2);

    final Bench bench;

    private final DatabaseClient database;
    private final TransactionalOperator transaction;
    private final RecomputeService rollup;
    private final VerdictStore families;
    private final VerdictService verdicts;

    /** @param machine its slug: another for each */
    JudgedRuns(DatabaseClient database, TransactionalOperator transaction, String machine) {
        this.database = database;
        this.transaction = transaction;
        JsonMapper json = JsonMapper.builder().build();
        families = new VerdictStore(database, json);
        verdicts = new VerdictService(families);
        rollup = Rollups.of(database, json);
        bench = new Bench(database, machine);
    }

    void declare(long run, List<DeclaredTest> tests) {
        await(families.declare(run, tests));
    }

    /** @param trials internal keys of ended ones */
    void rollUp(List<Long> trials) {
        await(rollup.trialsEnded(trials));
    }

    void end(long run, String state) {
        await(database.sql("update run set state = '%s', finished_at = now() where run_id = %d".formatted(state, run))
                .then()
                .then(verdicts.judge(run)));
    }

    void recompute(long run) {
        await(rollup.recompute(run));
    }

    void execute(String sql) {
        await(database.sql(sql).then());
    }

    private void await(Mono<Void> work) {
        work.as(transaction::transactional).block(TIMEOUT);
    }
}
