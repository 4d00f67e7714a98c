package dev.loomboard.recompute;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.kit.Bench;
import dev.loomboard.kit.RollupTest;
import dev.loomboard.ranking.RankService;
import dev.loomboard.ranking.RankStore;
import dev.loomboard.rollup.CellStore;
import dev.loomboard.stats.Methodology;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.r2dbc.connection.R2dbcTransactionManager;

/** Results that an earlier methodology made, made again. */
final class MethodologyUpgradeTest extends RollupTest {

    private final MethodologyUpgradeService upgrade = new MethodologyUpgradeService(
            database,
            rollup,
            new CellStore(database, json),
            new RankService(new RankStore(database, json)),
            transaction);
    private final RollupCheckService checks =
            new RollupCheckService(database, rollup, new R2dbcTransactionManager(database.getConnectionFactory()));

    @BeforeEach
    void alone() {
        execute("update run set methodology = '" + Methodology.VERSION + "'");
    }

    @Test
    void old_batches_keep_what_they_hold_and_the_rest_is_missing_and_does_not_rank() {
        Bench.Cell cell = old("kept");
        assertThat(await(checks.ofOtherMethodology())).isEqualTo(1);
        assertThat(await(checks.all().collectList())).isEmpty();
        assertThat(await(upgrade.upgrade())).isEqualTo(1);

        assertThat(metrics(cell)).contains("cpu_cores", "error_ratio", "response_p50_ms", "rss_mib");
        assertThat(metrics(cell))
                .doesNotContain("throughput_per_s", "throughput_per_core", "throughput_per_gib", "cpu_us_per_request")
                .doesNotContain("response_excess_p50_ms");
        assertThat(entry(cell).path("standing").asString()).isEqualTo("unranked");
        assertThat(reasons(cell)).anySatisfy(reason -> assertThat(reason).contains("measure it again"));
        assertThat(number("select count(*) from run where methodology <> '" + Methodology.VERSION + "'"))
                .isZero();
        assertThat(await(checks.all().collectList()))
                .allSatisfy(check -> assertThat(check.same()).isTrue());
        assertThat(await(upgrade.upgrade()))
                .as("nothing is left to be made again")
                .isZero();
    }

    @Test
    void closed_load_of_an_old_batch_keeps_its_throughput() {
        Bench bench = new Bench(database, "old-closed");
        Bench.Cell cell = bench.cell(bench.jdk("old-closed-25", 25, 1), "public");
        Bench.Trial trial =
                bench.closed(cell, bench.measured(bench.planned(cell, "scored", 1, 1), 101, "valid"), 50, 489);
        execute(
                "update step set outcomes = outcomes - 'completedInStep' - 'timeoutNs' || '{\"throughputPerSecond\": 489.0}' where trial_id = "
                        + trial.id());
        execute("update run set state = 'done', methodology = '1' where run_id = " + cell.run());
        assertThat(await(upgrade.upgrade())).isEqualTo(1);
        assertThat(number("select value from trial_metric where metric = 'throughput_per_s' and trial_id = "
                        + trial.id()))
                .isEqualTo(489);
    }

    @Test
    void rows_do_not_rank_until_their_turn_and_a_run_that_fails_does_not_stop_the_others() {
        Bench.Cell broken = old("broken");
        Bench.Cell sound = old("sound");
        execute(
                "update step set service = 'not a histogram' where trial_id in (select trial_id from trial where cell_id = "
                        + broken.id() + ")");
        assertThat(await(upgrade.upgrade())).isEqualTo(1);
        assertThat(entry(broken).path("standing").asString()).isEqualTo("unranked");
        assertThat(reasons(broken))
                .containsExactly("made by methodology 1, and not yet again by " + Methodology.VERSION);
        assertThat(metrics(broken)).contains("throughput_per_s"); // nothing of it was touched
        assertThat(metrics(sound)).doesNotContain("throughput_per_s");
    }

    @Test
    void where_no_raw_record_is_kept_the_numbers_that_mean_something_else_now_go() {
        Bench.Cell cell = old("thin");
        dropRawRecord(cell);
        assertThat(await(upgrade.upgrade())).isEqualTo(1);
        assertThat(metrics(cell))
                .contains("response_p50_ms", "rss_mib")
                .doesNotContain("throughput_per_s", "cpu_us_per_request", "response_excess_p50_ms");
        assertThat(entry(cell).path("standing").asString()).isEqualTo("unranked");
    }

    @Test
    void where_no_raw_record_of_methodology_2_is_kept_its_numbers_stay() {
        Bench.Cell cell = old("thin-2");
        dropRawRecord(cell);
        execute("update run set methodology = '2' where run_id = " + cell.run());
        assertThat(await(upgrade.upgrade())).isEqualTo(1);
        assertThat(metrics(cell)).contains("throughput_per_s", "cpu_us_per_request", "response_excess_p50_ms");
    }

    private void dropRawRecord(Bench.Cell cell) {
        execute(
                "update step set service = '', response = '', lag = '' where trial_id in (select trial_id from trial where cell_id = "
                        + cell.id() + ")");
    }

    /** A finished cell as methodology 1 left it: work done and excess are not in its batches, but in its numbers. */
    private Bench.Cell old(String name) {
        Bench bench = new Bench(database, "old-" + name);
        Bench.Cell cell = bench.cell(bench.jdk("old-" + name + "-25", 25, 1), "public");
        List<Bench.Trial> trials = List.of(bench.planned(cell, "scored", 1, 1), bench.planned(cell, "scored", 2, 1));
        trials.forEach(trial -> end(bench.measured(trial, 101.3, "valid")));
        execute(
                "update step set excess = null, outcomes = outcomes - 'completedInStep' - 'timeoutNs' where trial_id in (select trial_id from trial where cell_id = "
                        + cell.id() + ")");
        execute("update run set state = 'done', methodology = '1' where run_id = " + cell.run());
        assertThat(metrics(cell)).contains("throughput_per_s", "cpu_us_per_request");
        return cell;
    }

    private List<String> metrics(Bench.Cell cell) {
        return await(
                database.sql("select distinct metric from trial_metric join trial using (trial_id) where cell_id = "
                                + cell.id())
                        .map(row -> String.valueOf(row.get(0, String.class)))
                        .all()
                        .collectList());
    }
}
