package dev.loomboard.retention;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.loomboard.kit.Bench;
import dev.loomboard.kit.RollupTest;
import dev.loomboard.quota.Quotas;
import dev.loomboard.recompute.RollupCheck;
import dev.loomboard.recompute.RollupCheckService;
import dev.loomboard.trial.TrialDetail;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.r2dbc.connection.R2dbcTransactionManager;

/** Old samples go, and what was made of them stays. */
final class RetentionTest extends RollupTest {

    private static final Instant NOW = Instant.parse("2027-06-01T03:40:00Z");
    private static final int DAYS = 90;

    private final Bench bench = new Bench(database, "retention");
    private final RetentionService retention = retention(DAYS);
    private final RollupCheckService checks =
            new RollupCheckService(database, rollup, new R2dbcTransactionManager(database.getConnectionFactory()));

    private RetentionService retention(int days) {
        return new RetentionService(
                new RetentionStore(database), Quotas.of(database), transaction, Clock.fixed(NOW, ZoneOffset.UTC), days);
    }

    @Test
    void fewer_days_than_none_are_refused() {
        assertThatThrownBy(() -> retention(-1)).hasMessageContaining("LOOMBOARD_SAMPLE_DAYS must be 0");
    }

    @Test
    void samples_of_old_trials_go_and_figures_and_histograms_stay() {
        Bench.Cell cell = cell("old", 91);
        Bench.Trial old = trial(cell, 1, 91);
        Bench.Trial young = trial(cell, 2, 89);
        batch(old, 0, "1000, 50", 99);
        batch(old, 1, "null, null", 300); // stored before samples were counted apart
        batch(young, 0, "7, 7", 99);
        usage(cell, 5000);
        over(cell);
        String kept = kept(cell);

        assertThat(await(retention.removeOld())).isEqualTo(1);

        assertThat(samples(old)).isZero();
        assertThat(samples(young)).isPositive();
        assertThat(kept(cell)).isEqualTo(kept);
        assertThat(usage(cell)).isEqualTo(5000 - 1000 - 300);
        TrialDetail page = await(trials.detail(old.external(), ANYBODY));
        assertThat(page.measured().samplesRemovedAt()).isEqualTo(NOW);
        assertThat(page.measured().samples()).isEmpty();
        assertThat(page.measured().windows()).hasSize(12);
        assertThat(await(trials.curve(old.external(), 0, ANYBODY)).hits()).isEqualTo(3600);
        assertThat(await(trials.detail(young.external(), ANYBODY)).measured().samplesRemovedAt())
                .isNull();
        assertThat(await(retention.removeOld())).as("again").isZero();
        assertThat(usage(cell)).isEqualTo(5000 - 1000 - 300);
        forget(cell);
    }

    @Test
    void workspace_may_keep_them_for_longer_shorter_or_ever() {
        Bench.Cell cell = cell("own", 100);
        Bench.Trial trial = trial(cell, 1, 100);
        over(cell);
        execute(
                "insert into workspace_limit (workspace_id, sample_days) select workspace_id, 0 from cell where cell_id = "
                        + cell.id());
        assertThat(await(retention.removeOld())).as("for ever").isZero();
        execute("update workspace_limit set sample_days = 101");
        assertThat(await(retention.removeOld())).as("for longer").isZero();
        finished(trial, 12);
        execute("update workspace_limit set sample_days = 11");
        assertThat(await(retention.removeOld())).as("for shorter").isEqualTo(1);
        execute("delete from workspace_limit");
        forget(cell);
    }

    @Test
    void run_that_is_not_over_keeps_its_samples() {
        Bench.Cell cell = cell("going", 100);
        Bench.Trial trial = trial(cell, 1, 100);
        execute("update run set state = 'disconnected' where run_id = " + cell.run());
        assertThat(await(retention.removeOld())).isZero();
        assertThat(samples(trial)).isPositive();
        forget(cell);
    }

    @Test
    void check_of_all_numbers_tells_what_differs_from_what_cannot_be_made_again() {
        Bench.Cell cell = cell("checked", 100);
        Bench.Trial one = trial(cell, 1, 100);
        trial(cell, 2, 100);
        over(cell);
        assertThat(check(cell).differences()).isEmpty();
        long before = await(checks.withoutSamples());

        assertThat(await(retention.removeOld())).isEqualTo(2);
        assertThat(check(cell).differences()).as("without samples").isEmpty();
        assertThat(await(checks.withoutSamples())).isEqualTo(before + 2);
        assertThat(number("select count(*) from trial_metric where metric = 'rss_mib' and trial_id = " + one.id()))
                .as("made of samples")
                .isEqualTo(1);

        execute("update trial_metric set value = value * 1.5 where metric = 'rss_mib' and trial_id = " + one.id());
        assertThat(check(cell).differences())
                .as("a point that is not what its trials say")
                .isNotEmpty()
                .allSatisfy(difference -> assertThat(difference.kind()).isNotEqualTo("percentiles"));
    }

    @Test
    void old_trials_are_found_by_an_index() {
        assertThat(plan(RetentionStore.OLD
                        .replace(":workspace", "1")
                        .replace(":before", "now()")
                        .replace(":most", "10")))
                .anyMatch(line -> line.contains("trial_samples_ix"))
                .anyMatch(line -> line.contains("sample_chunk_pk"));
    }

    private Bench.Cell cell(String name, int build) {
        return bench.cell(bench.jdk(name + "-25", 25, build), "public");
    }

    /** One that ended so many days ago. */
    private Bench.Trial trial(Bench.Cell cell, int ordinal, int days) {
        Bench.Trial trial = bench.measured(bench.planned(cell, "scored", ordinal, 1), 101 + ordinal, "valid");
        finished(trial, days);
        end(trial);
        return trial;
    }

    private void finished(Bench.Trial trial, int days) {
        execute("update trial set finished_at = timestamptz '" + NOW + "' - interval '" + days
                + " days' where trial_id = " + trial.id());
    }

    private void over(Bench.Cell cell) {
        execute("update run set state = 'done' where run_id = " + cell.run());
    }

    /** So that the next test finds nothing of it. */
    private void forget(Bench.Cell cell) {
        execute("delete from sample_chunk where trial_id in (select trial_id from trial where run_id = " + cell.run()
                + ")");
    }

    private void batch(Bench.Trial trial, int seq, String counted, int bytes) {
        execute("insert into batch (trial_id, seq, fencing, sha256, bytes, late, sample_bytes, kept_bytes) values ("
                + trial.id() + ", " + seq + ", 1, '\\x00', " + bytes + ", false, " + counted + ")");
    }

    private void usage(Bench.Cell cell, long bytes) {
        execute("delete from workspace_usage");
        execute("insert into workspace_usage (workspace_id, stored_bytes) select workspace_id, " + bytes
                + " from cell where cell_id = " + cell.id());
    }

    private long usage(Bench.Cell cell) {
        return number(
                "select stored_bytes from workspace_usage join cell using (workspace_id) where cell_id = " + cell.id());
    }

    private long samples(Bench.Trial trial) {
        return number("select count(*) from sample_chunk where trial_id = " + trial.id());
    }

    /** All that was made of the run's trials, and its histograms. */
    private String kept(Bench.Cell cell) {
        return await(database.sql("""
                        select md5(string_agg(line, '|' order by line)) as kept from (
                          select s::text as line from step s join trial t using (trial_id) where t.run_id = :run
                          union all select w::text from load_window w join trial t using (trial_id) where t.run_id = :run
                          union all select m::text from trial_metric m join trial t using (trial_id) where t.run_id = :run
                          union all select p::text from point p where p.run_id = :run) all_of_it
                        """)
                .bind("run", cell.run())
                .map(row -> String.valueOf(row.get("kept", String.class)))
                .one());
    }

    private RollupCheck check(Bench.Cell cell) {
        String run = await(database.sql("select external_id from run where run_id = " + cell.run())
                .map(row -> String.valueOf(row.get(0, String.class)))
                .one());
        List<RollupCheck> all = await(checks.all().collectList());
        return all.stream().filter(check -> check.run().equals(run)).findFirst().orElseThrow();
    }
}
