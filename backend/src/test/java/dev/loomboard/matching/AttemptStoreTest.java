package dev.loomboard.matching;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.loomboard.cell.RunState;
import dev.loomboard.kernel.Caller;
import dev.loomboard.kernel.VisibleSql;
import dev.loomboard.kit.Bench;
import dev.loomboard.kit.RepeatedRuns;
import dev.loomboard.kit.StoreTest;
import dev.loomboard.stats.PooledRatio;
import dev.loomboard.stats.paired.Verdict;
import dev.loomboard.verdict.DeclaredTest;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Several runs of two builds, out of the comparison of the two. */
final class AttemptStoreTest extends StoreTest {

    private static final Caller ANYBODY = new Caller.Anonymous();
    private static final int BLOCKS = RepeatedRuns.BLOCKS;

    private final CompareStore store = new CompareStore(database, new AttemptStore(database));

    @Test
    void every_run_is_counted_and_what_can_be_judged_is_pooled() {
        RepeatedRuns builds = new RepeatedRuns(database, transaction, "pooled");
        long first = builds.run("public", 0.2, BLOCKS, "done");
        builds.run("public", 1.2, BLOCKS, "done");
        long cancelled = builds.run("public", 0.4, BLOCKS - 1, "cancelled");
        builds.run("public", 0, 0, "cancelled");
        long newest = builds.run("public", 0.6, BLOCKS, "done");
        builds.run("public", 0, 0, "running");

        Comparison.Pair pair = pair(builds);
        assertThat(pair.baseline().run()).as("the page still shows the newest").isEqualTo(external(newest));
        Attempts attempts = Objects.requireNonNull(pair.attempts());
        assertThat(attempts.runs()).hasSize(6);
        assertThat(attempts.runs().getFirst().run()).isEqualTo(external(first));
        assertThat(attempts.runs().get(2).run()).isEqualTo(external(cancelled));
        assertThat(attempts.runs().get(2).cutShortOf()).isEqualTo(BLOCKS);
        assertThat(Attempts.words(attempts.runs().get(2))).endsWith("(cut short: 3 of 4 blocks)");
        assertThat(attempts.runs())
                .extracting(Attempt::leftOut)
                .containsExactly(null, null, null, "a side measured nothing", null, "it has not ended");
        assertThat(attempts.runs().get(3).state()).isEqualTo(RunState.CANCELLED);
        assertThat(attempts.runs().get(1).verdict()).as("its own").isNotNull();

        PooledRatio pooled = Objects.requireNonNull(attempts.pooled());
        assertThat(pooled.runs()).isEqualTo(4);
        List<Double> ratios = attempts.runs().stream()
                .filter(run -> run.leftOut() == null)
                .map(run -> Objects.requireNonNull(run.ratio()))
                .toList();
        assertThat(ratios.get(1) - ratios.get(0)).isGreaterThan(0.04);
        assertThat(pooled.ratio()).isBetween(ratios.get(0), ratios.get(1));
        assertThat(pooled.spread()).isPositive();
        assertThat(attempts.words()).startsWith("4 of 6 runs pooled: +").endsWith(", an estimate without a verdict");
        assertThat(pair.verdict())
                .as("of the run itself")
                .isEqualTo(attempts.runs().get(4).verdict());
    }

    @Test
    void exchanged_sides_give_the_inverse() {
        RepeatedRuns builds = new RepeatedRuns(database, transaction, "inverse");
        builds.run("public", 0.2, BLOCKS, "done");
        builds.run("public", 4, BLOCKS, "done");
        Attempts there = Objects.requireNonNull(pair(builds).attempts());
        Attempts back =
                Objects.requireNonNull(pair(builds.candidate, builds.baseline).attempts());
        PooledRatio one = Objects.requireNonNull(there.pooled());
        PooledRatio other = Objects.requireNonNull(back.pooled());
        assertThat(other.ratio()).isCloseTo(1 / one.ratio(), within(1e-9));
        assertThat(other.low()).isCloseTo(1 / one.high(), within(1e-6));
        assertThat(there.runs().get(1).verdict()).isEqualTo(Verdict.SLOWER);
        assertThat(back.runs().get(1).verdict()).isEqualTo(Verdict.FASTER);
        assertThat(there.words()).endsWith("; two runs estimate their spread poorly");
    }

    @Test
    void another_host_another_server_and_an_earlier_look_are_named_and_not_pooled() {
        RepeatedRuns builds = new RepeatedRuns(database, transaction, "other");
        long host = builds.run("public", 0.1, BLOCKS, "done");
        long server = builds.run("public", 0.2, BLOCKS, "done");
        long look = builds.run("public", 0.3, BLOCKS, "done");
        long later = builds.run("public", 0.4, BLOCKS, "done");
        execute("update point set fingerprint_hash = 'another' where run_id = " + host);
        execute("update point set server_digest = 'another' where run_id = " + server);
        execute("update run set look = 2, follow_up = true, follows_run_id = %d where run_id = %d"
                .formatted(look, later));
        Attempts attempts = Objects.requireNonNull(pair(builds).attempts());
        assertThat(attempts.runs())
                .extracting(Attempt::leftOut)
                .containsExactly(
                        "it ran on a host with another fingerprint",
                        "it ran another build of the server",
                        "its blocks are part of the next look",
                        null);
        assertThat(attempts.runs().getLast().rerun()).isTrue();
        assertThat(attempts.pooled()).isNull();
    }

    @Test
    void runs_that_the_caller_does_not_see_are_not_counted() {
        RepeatedRuns builds = new RepeatedRuns(database, transaction, "unseen");
        builds.run("private", 9, BLOCKS, "done");
        builds.run("public", 0.1, BLOCKS, "done");
        assertThat(Objects.requireNonNull(pair(builds).attempts()).runs()).hasSize(1);
    }

    @Test
    void newest_runs_alone_are_looked_at() {
        RepeatedRuns builds = new RepeatedRuns(database, transaction, "many");
        for (int i = 0; i < AttemptStore.MOST_RUNS; i++) {
            builds.run("public", 0, 0, "cancelled");
        }
        long newest = builds.run("public", 0.1, BLOCKS, "done");
        List<Attempt> runs = Objects.requireNonNull(pair(builds).attempts()).runs();
        assertThat(runs).hasSize(AttemptStore.MOST_RUNS);
        assertThat(runs.getLast().run()).isEqualTo(external(newest));
    }

    @Test
    void runs_of_another_machine_hide_none_of_this_one() {
        RepeatedRuns builds = new RepeatedRuns(database, transaction, "beside");
        long run = builds.run("public", 0.1, BLOCKS, "done");
        new Bench(database, "elsewhere");
        for (int i = 0; i < AttemptStore.MOST_RUNS; i++) {
            execute(
                    "update run set machine_id = (select machine_id from machine where slug = 'elsewhere') where run_id = "
                            + builds.run("public", 0, 0, "cancelled"));
        }
        assertThat(Objects.requireNonNull(pair(builds).attempts()).runs())
                .extracting(Attempt::run)
                .containsExactly(external(run));
    }

    @Test
    void query_can_be_answered_by_indices() {
        String literal = VisibleSql.text(AttemptStore.ATTEMPTS)
                .replaceAll("(?<!:):mine", "'{1}'::bigint[]")
                .replaceAll("(?<!:):(slugs|metrics|cells)", "'{a,b}'::text[]");
        assertThat(plan(literal)).isNotEmpty().noneMatch(line -> line.contains("Seq Scan"));
    }

    private String external(long run) {
        return await(database.sql("select external_id from run where run_id = " + run)
                .map(row -> Objects.requireNonNull(row.get(0, String.class)))
                .one());
    }

    private Comparison.Pair pair(RepeatedRuns builds) {
        return pair(builds.baseline, builds.candidate);
    }

    private Comparison.Pair pair(String a, String b) {
        return await(store.compare(a, b, ANYBODY)).pairs().stream()
                .filter(pair -> pair.cell().metric().equals(DeclaredTest.EXCESS_P50))
                .findFirst()
                .orElseThrow();
    }
}
