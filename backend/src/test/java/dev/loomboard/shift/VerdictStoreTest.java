package dev.loomboard.shift;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.loomboard.kernel.AccountId;
import dev.loomboard.kernel.Caller;
import dev.loomboard.kernel.Role;
import dev.loomboard.kernel.WorkspaceId;
import dev.loomboard.kit.SevenBlocks;
import dev.loomboard.kit.StoreTest;
import dev.loomboard.matching.CompareStore;
import dev.loomboard.matching.Comparison;
import dev.loomboard.matching.StoredComparisons;
import dev.loomboard.stats.Mean;
import dev.loomboard.stats.Scale;
import dev.loomboard.stats.paired.Verdict;
import dev.loomboard.verdict.DeclaredTest;
import dev.loomboard.verdict.JudgedTest;
import dev.loomboard.verdict.Outcome;
import dev.loomboard.verdict.VerdictCounts;
import dev.loomboard.verdict.VerdictStore;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** From uploaded trials to stored verdicts, and back out of the comparison of two builds. */
final class VerdictStoreTest extends StoreTest {

    private static final Caller ANYBODY = new Caller.Anonymous();

    private final CompareStore store = StoredComparisons.of(database);
    /** Only looked at; a test that changes a run makes its own. */
    private SevenBlocks run;

    @BeforeAll
    void judge() {
        run = new SevenBlocks(database, transaction, "judged", "public").end("done");
    }

    @Test
    void run_of_seven_blocks_is_judged_as_one_family() {
        Comparison found = await(store.compare(run.baseline, run.candidate, ANYBODY));
        Outcome slower = outcome(found, run.scenario("slower"));
        assertThat(slower.verdict()).isEqualTo(Verdict.SLOWER);
        assertThat(slower.blocks()).isEqualTo(SevenBlocks.TRIALS);
        assertThat(Objects.requireNonNull(slower.found().effect())).isBetween(1.4, 1.6);
        assertThat(Objects.requireNonNull(slower.decision().adjustedP()))
                .isGreaterThan(Objects.requireNonNull(slower.decision().p()));
        assertThat(outcome(found, run.scenario("equivalent")).verdict()).isEqualTo(Verdict.EQUIVALENT);
        Outcome noisy = outcome(found, run.scenario("noisy"));
        assertThat(noisy.verdict()).isEqualTo(Verdict.INCONCLUSIVE);
        assertThat(Objects.requireNonNull(noisy.decision().furtherBlocks())).isPositive();
        Outcome lossy = outcome(found, run.scenario("lossy"));
        assertThat(lossy.verdict()).isNull();
        assertThat(lossy.excluded().candidate()).isEqualTo(3);
        assertThat(lossy.reason()).contains("the sides lost different shares");
        assertThat(found.pairs())
                .allSatisfy(
                        pair -> assertThat(Objects.requireNonNull(pair.judged()).familySize())
                                .isEqualTo(run.familySize()));
        assertThat(pair(found, run.scenario("slower"), DeclaredTest.EXCESS_P99).reason())
                .contains("0 blocks of paired trials", "36 of 3600 hits lie beyond p99");
        assertThat(VerdictCounts.of(found.pairs().stream()
                                .map(Comparison.Pair::verdict)
                                .toList())
                        .words())
                .isEqualTo("1 slower, 7 equivalent, 1 inconclusive, 7 without a verdict of 16 cells × metrics");
    }

    @Test
    void repeated_blocks_count_in_place_of_the_spoilt_ones_and_only_whole() {
        SevenBlocks run = new SevenBlocks(database, transaction, "repeated", "public")
                .repeatLost()
                .end("done");
        Outcome whole = outcome(await(store.compare(run.baseline, run.candidate, ANYBODY)), run.scenario("lossy"));
        assertThat(whole.blocks()).isEqualTo(SevenBlocks.TRIALS);
        assertThat(whole.excluded().candidate()).isZero();
        assertThat(whole.verdict()).isEqualTo(Verdict.EQUIVALENT);

        String repeat = "fencing = 2 and run_id = " + run.run;
        execute("update trial set cut_off = true where ordinal = 1 and " + repeat);
        run.end("done");
        Outcome cutOff = outcome(await(store.compare(run.baseline, run.candidate, ANYBODY)), run.scenario("lossy"));
        assertThat(cutOff.blocks()).as("the first block is spoilt again").isEqualTo(SevenBlocks.TRIALS - 1);
        assertThat(cutOff.excluded().candidate()).isEqualTo(1);

        execute("update trial set cut_off = false where " + repeat);
        execute("update trial set cut_off = true where ordinal = 2 and cell_id = (select min(cell_id) from trial where "
                + repeat + ") and " + repeat);
        run.end("done");
        Outcome half = outcome(await(store.compare(run.baseline, run.candidate, ANYBODY)), run.scenario("lossy"));
        assertThat(half.blocks())
                .as("no block is half of one time and half of another")
                .isEqualTo(SevenBlocks.TRIALS - 1);
    }

    @Test
    void exchanged_sides_give_the_verdict_turned_round() {
        Comparison there = await(store.compare(run.baseline, run.candidate, ANYBODY));
        Comparison back = await(store.compare(run.candidate, run.baseline, ANYBODY));
        assertThat(outcome(back, run.scenario("slower")))
                .isEqualTo(outcome(there, run.scenario("slower")).turned());
        assertThat(outcome(back, run.scenario("slower")).verdict()).isEqualTo(Verdict.FASTER);
        assertThat(outcome(back, run.scenario("lossy")).excluded().baseline()).isEqualTo(3);
        assertThat(VerdictCounts.of(
                        back.pairs().stream().map(Comparison.Pair::verdict).toList()))
                .isEqualTo(new VerdictCounts(0, 1, 0, 0, 7, 1, 7));
    }

    @Test
    void recomputing_gives_the_same_to_the_last_bit() {
        String before = rows(run);
        assertThat(before).contains("slower", "inconclusive");
        execute("update comparison set blocks = null, verdict = null, reason = null, effect = null where run_id = "
                + run.run);
        run.recompute();
        assertThat(rows(run)).isEqualTo(before);
    }

    @Test
    void run_that_goes_on_has_no_outcome_yet_and_one_that_was_cut_short_has_what_was_measured() {
        SevenBlocks run = new SevenBlocks(database, transaction, "short", "public").end("running");
        assertThat(number("select count(*) from comparison where blocks is not null and run_id = " + run.run))
                .isZero();
        Comparison found = await(store.compare(run.baseline, run.candidate, ANYBODY));
        assertThat(pair(found, run.scenario("slower"), DeclaredTest.EXCESS_P50).reason())
                .isEqualTo("their run has not ended");
        run.end("cancelled");
        found = await(store.compare(run.baseline, run.candidate, ANYBODY));
        assertThat(outcome(found, run.scenario("slower")).verdict()).isEqualTo(Verdict.SLOWER);
    }

    @Test
    void spread_of_the_first_blocks_tells_every_interval_where_it_decided_how_many_follow() {
        SevenBlocks run = new SevenBlocks(database, transaction, "further", "public").end("done");
        Comparison all = await(store.compare(run.baseline, run.candidate, ANYBODY));
        execute("update run set pilot = '{}', spec = jsonb_set(spec, '{trials}', '{\"scored\": 5, \"diagnostic\": 0}')"
                + " where run_id = " + run.run);
        run.recompute();
        Comparison found = await(store.compare(run.baseline, run.candidate, ANYBODY));
        Comparison.Pair pair = pair(found, run.scenario("noisy"), DeclaredTest.EXCESS_P50);
        Outcome.Found effect = outcome(found, run.scenario("noisy")).found();
        assertThat(effect.degrees()).isEqualTo(4);
        assertThat(effect.high())
                .isNotEqualTo(outcome(all, run.scenario("noisy")).found().high());
        assertThat(Objects.requireNonNull(pair.summand()).freedom()).isEqualTo(4);

        Mean mean = Mean.of(Scale.LN, pair.candidate().values(), 5).orElseThrow();
        assertThat(await(database.sql(
                                "select p.low, p.high from point p join cell c using (cell_id) join series s using (series_id)"
                                        + " where c.external_id = '"
                                        + pair.candidate().cell() + "' and s.metric = '"
                                        + DeclaredTest.EXCESS_P50 + "'")
                        .map(row -> List.of(
                                Objects.requireNonNull(row.get("low", Double.class)),
                                Objects.requireNonNull(row.get("high", Double.class))))
                        .one()))
                .isEqualTo(List.of(Objects.requireNonNull(mean.low()), Objects.requireNonNull(mean.high())));

        ShiftFunction.Point median = Objects.requireNonNull(await(new CellComparisonService(
                                        new CellDetailStore(database, json))
                                .page(pair.baseline().cell(), pair.candidate().cell(), ANYBODY))
                        .shift())
                .points()
                .stream()
                .filter(point -> point.percentile().equals("p50"))
                .findFirst()
                .orElseThrow();
        assertThat(Objects.requireNonNull(median.low())).isCloseTo(Objects.requireNonNull(effect.low()), within(1e-12));
        assertThat(Objects.requireNonNull(median.high()))
                .isCloseTo(Objects.requireNonNull(effect.high()), within(1e-12));
        assertThat(Objects.requireNonNull(median.step()))
                .as("of 20 ms, to 2¹⁴ ns")
                .isEqualTo(0.016384);
    }

    @Test
    void cancelled_run_says_how_many_of_its_blocks_came() {
        SevenBlocks run = new SevenBlocks(database, transaction, "cut", "public");
        execute(
                "update run set spec = jsonb_set(spec, '{trials}', '{\"scored\": 20, \"diagnostic\": 0}') where run_id = "
                        + run.run);
        run.end("cancelled");
        Outcome outcome = outcome(await(store.compare(run.baseline, run.candidate, ANYBODY)), run.scenario("slower"));
        assertThat(outcome.blocks()).isEqualTo(SevenBlocks.TRIALS);
        assertThat(outcome.looked()).isEqualTo(new Outcome.Looked(null, 20));
    }

    @Test
    void verdicts_of_a_private_run_are_its_members_alone() {
        SevenBlocks run = new SevenBlocks(database, transaction, "hidden", "private").end("done");
        assertThat(isEmpty(store.compare(run.baseline, run.candidate, ANYBODY)))
                .as("its builds are known of private runs only")
                .isTrue();
        WorkspaceId main = new WorkspaceId(number("select workspace_id from workspace where slug = 'main'"));
        Caller member = new Caller.Person(new AccountId(1), "acc_x", "M", false, Map.of(main, Role.MEMBER));
        assertThat(outcome(await(store.compare(run.baseline, run.candidate, member)), run.scenario("slower"))
                        .verdict())
                .isEqualTo(Verdict.SLOWER);
    }

    @Test
    void queries_can_be_answered_by_indices() {
        for (String sql : List.of(VerdictStore.TESTS, VerdictStore.TRIALS)) {
            String literal = sql.replaceAll("(?<!:):metrics", "'{a,b}'::text[]").replaceAll("(?<!:):(run|most)", "17");
            assertThat(plan(literal)).isNotEmpty().noneMatch(line -> line.contains("Seq Scan"));
        }
    }

    private String rows(SevenBlocks run) {
        return await(database.sql(
                        "select json_agg(to_json(v) order by v.ordinal)::text as rows from comparison v where run_id = "
                                + run.run)
                .map(row -> Objects.requireNonNull(row.get("rows", String.class)))
                .one());
    }

    private static Outcome outcome(Comparison found, String scenario) {
        JudgedTest judged = Objects.requireNonNull(
                pair(found, scenario, DeclaredTest.EXCESS_P50).judged());
        return Objects.requireNonNull(judged.outcome());
    }

    private static Comparison.Pair pair(Comparison found, String scenario, String metric) {
        return found.pairs().stream()
                .filter(p -> p.cell().metric().equals(metric)
                        && p.cell().scenarioKey().equals(scenario))
                .findFirst()
                .orElseThrow();
    }
}
