package dev.loomboard.recompute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.loomboard.kit.Bench;
import dev.loomboard.kit.RollupTest;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.r2dbc.connection.R2dbcTransactionManager;

/** Stored numbers against those made again. */
final class RollupCheckTest extends RollupTest {

    private final RollupCheckService checks =
            new RollupCheckService(database, rollup, new R2dbcTransactionManager(database.getConnectionFactory()));

    @Test
    void every_bit_that_differs_is_found_and_left_as_it_is() {
        Bench bench = new Bench(database, "check");
        Bench.Cell cell = bench.cell(bench.jdk("check-25", 25, 1), "public");
        List<Bench.Trial> planned = List.of(bench.planned(cell, "scored", 1, 1), bench.planned(cell, "scored", 2, 1));
        end(withOperations(bench.measured(planned.get(0), 101.3, "valid")));
        end(bench.measured(planned.get(1), 101.7, "valid"));
        assertThat(checked()).isEmpty(); // a run that goes on is not over

        execute("update run set state = 'done' where run_id = " + cell.run());
        RollupCheck same = checked().getFirst();
        assertThat(same.same()).isTrue();
        assertThat(same.rows()).isEqualTo(number("""
                select (select count(*) from step join trial using (trial_id) where run_id = %1$d)
                     + (select count(*) from step_operation join trial using (trial_id) where run_id = %1$d)
                     + (select count(*) from trial_metric join trial using (trial_id) where run_id = %1$d)
                     + (select count(*) from point where run_id = %1$d) + 1""".formatted(cell.run())));

        execute("update point set mean = mean * (1 + 2.3e-16) where run_id = " + cell.run()
                + " and series_id = (select series_id from series where metric = 'response_p50_ms')");
        execute("update step set percentiles = jsonb_set(percentiles, '{response,p50,nanos}', '1') where trial_id = "
                + planned.getFirst().id());
        execute("delete from trial_metric where metric = 'rss_mib' and trial_id = "
                + planned.getFirst().id());
        execute(
                "update step_operation set metrics = jsonb_set(metrics, '{response_p50_ms,value}', '1') where operation = 'read' and trial_id = "
                        + planned.getFirst().id());
        String before = row("select to_json(p)::text from point p where run_id = " + cell.run() + " limit 1")
                .toString();
        assertThat(checked().getFirst().differences())
                .extracting(RollupCheck.Difference::kind, RollupCheck.Difference::stored)
                .containsExactlyInAnyOrder(
                        tuple(RollupCheck.Kind.PERCENTILES, true),
                        tuple(RollupCheck.Kind.PERCENTILES, false),
                        tuple(RollupCheck.Kind.OPERATION, true),
                        tuple(RollupCheck.Kind.OPERATION, false),
                        tuple(RollupCheck.Kind.TRIAL_METRIC, false),
                        tuple(RollupCheck.Kind.POINT, true),
                        tuple(RollupCheck.Kind.POINT, false));
        assertThat(row("select to_json(p)::text from point p where run_id = " + cell.run() + " limit 1")
                        .toString())
                .isEqualTo(before);
    }

    /** As if its workload were a mix of two, each with all of the step's hits. */
    private Bench.Trial withOperations(Bench.Trial trial) {
        execute("""
                insert into step_operation (trial_id, step, operation, weight, offered, sent, completed, failed, unfinished, completed_in_step,
                                            errors, metrics, service, response)
                select trial_id, ordinal, o, 1, offered, sent, completed, failed, unfinished, completed, '[]', '{}', service, response
                  from step cross join unnest(array['read', 'write']) o where trial_id = """ + trial.id());
        return trial;
    }

    private List<RollupCheck> checked() {
        return await(checks.all().collectList());
    }
}
