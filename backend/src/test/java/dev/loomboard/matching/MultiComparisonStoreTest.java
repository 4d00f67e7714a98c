package dev.loomboard.matching;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.grid.GridQueries;
import dev.loomboard.kernel.AccountId;
import dev.loomboard.kernel.Caller;
import dev.loomboard.kernel.Role;
import dev.loomboard.kernel.VisibleSql;
import dev.loomboard.kernel.WorkspaceId;
import dev.loomboard.kit.StoreTest;
import dev.loomboard.kit.VariantBlocks;
import dev.loomboard.leaderboard.LeaderboardStore;
import dev.loomboard.shift.CellDetailQueries;
import dev.loomboard.stats.paired.Verdict;
import dev.loomboard.verdict.ComparisonDimension;
import dev.loomboard.verdict.DeclaredTest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Sides that are no JDK builds, from uploaded trials to what is compared. */
final class MultiComparisonStoreTest extends StoreTest {

    private static final Caller ANYBODY = new Caller.Anonymous();

    private final MultiComparisonService sides = new MultiComparisonService(
            new LeaderboardStore(database, json),
            new CompareStore(database, new AttemptStore(database)),
            new MultiComparisonStore(database),
            new DimensionStore(database));

    @Test
    void variants_of_one_run_have_the_verdicts_of_their_own_family() {
        VariantBlocks blocks = new VariantBlocks(database, transaction, "variants").run("public");
        MultiComparison found = compare(
                ComparisonDimension.SERVER, ANYBODY, blocks.side("first"), blocks.side("slow"), blocks.side("same"));
        assertThat(p50(found, 0).verdict()).isEqualTo(Verdict.SLOWER);
        assertThat(p50(found, 0).estimate().method()).isEqualTo(Comparison.Method.BLOCKS);
        assertThat(p50(found, 0).cell().jdk()).isEqualTo(blocks.jdk);
        assertThat(Objects.requireNonNull(p50(found, 0).judged()).familySize()).isEqualTo(8);
        assertThat(p50(found, 1).verdict()).isEqualTo(Verdict.EQUIVALENT);
        MultiComparison turned =
                compare(ComparisonDimension.SERVER, ANYBODY, blocks.side("slow"), blocks.side("first"));
        assertThat(p50(turned, 0).verdict()).isEqualTo(Verdict.FASTER);
        MultiComparison undeclared =
                compare(ComparisonDimension.SERVER, ANYBODY, blocks.side("slow"), blocks.side("same"));
        assertThat(p50(undeclared, 0).verdict()).isNull();
        assertThat(p50(undeclared, 0).reason()).contains("no test of it was declared");
        assertThat(p50(undeclared, 0).estimate().low()).isNotNull();
    }

    @Test
    void run_that_only_members_see_does_not_hide_an_older_one_and_is_compared_for_them() {
        VariantBlocks blocks =
                new VariantBlocks(database, transaction, "older").run("public").run("private");
        assertThat(p50(compare(ComparisonDimension.SERVER, ANYBODY, blocks.side("first"), blocks.side("slow")), 0)
                        .baseline()
                        .run())
                .isEqualTo(blocks.runs.get(0));
        assertThat(p50(compare(ComparisonDimension.SERVER, member(), blocks.side("first"), blocks.side("slow")), 0)
                        .baseline()
                        .run())
                .isEqualTo(blocks.runs.get(1));
    }

    @Test
    void two_runs_have_ratios_of_the_same_cells_and_never_a_verdict() {
        VariantBlocks blocks =
                new VariantBlocks(database, transaction, "nights").run("public").run("public");
        MultiComparison found = compare(ComparisonDimension.RUN, ANYBODY, blocks.runs.get(0), blocks.runs.get(1));
        assertThat(found.pairs()).hasSizeGreaterThanOrEqualTo(3 * 3).allSatisfy(pair -> {
            assertThat(pair.verdict()).isNull();
            assertThat(pair.estimate().method()).isEqualTo(Comparison.Method.WELCH);
            assertThat(pair.reason()).contains("not interleaved: host drift is not excluded");
            assertThat(pair.baseline().series()).isEqualTo(pair.candidate().series());
        });
    }

    @Test
    void what_strangers_may_not_see_they_cannot_choose() {
        VariantBlocks blocks = new VariantBlocks(database, transaction, "hidden").run("private");
        for (ComparisonDimension subject : List.of(ComparisonDimension.SERVER, ComparisonDimension.RUN)) {
            String side = subject == ComparisonDimension.RUN ? blocks.runs.getFirst() : blocks.side("first");
            assertThat(choice(subject, ANYBODY, side)).as(subject.words()).isEmpty();
            assertThat(choice(subject, member(), side)).as(subject.words()).isPresent();
        }
        assertThat(await(new MultiComparisonStore(database)
                        .points(
                                ComparisonDimension.SERVER,
                                List.of(blocks.side("first"), blocks.side("slow")),
                                ANYBODY)))
                .isEmpty();
        assertThat(await(new MultiComparisonStore(database).points(ComparisonDimension.RUN, blocks.runs, ANYBODY)))
                .isEmpty();
    }

    @Test
    void collectors_limits_and_classes_of_machines_can_be_chosen() {
        new VariantBlocks(database, transaction, "chosen").run("public");
        assertThat(choice(ComparisonDimension.COLLECTOR, ANYBODY, "G1")).isPresent();
        assertThat(choice(ComparisonDimension.LIMITS, ANYBODY, "none").map(MultiComparison.Named::words))
                .contains("no limits");
        assertThat(choice(ComparisonDimension.MACHINE, ANYBODY, "class").map(MultiComparison.Named::words))
                .contains("2 cores, load on the same host");
    }

    @Test
    void queries_can_be_answered_by_indices() {
        List<String> queries = new ArrayList<>(List.of(
                MultiComparisonStore.SERVERS,
                MultiComparisonStore.COLLECTORS,
                MultiComparisonStore.LIMITS,
                MultiComparisonStore.MACHINES,
                MultiComparisonStore.RUNS,
                MultiComparisonStore.TESTS,
                DimensionStore.SERVERS,
                DimensionStore.COLLECTORS,
                DimensionStore.LIMITS,
                DimensionStore.MACHINES,
                DimensionStore.RUNS));
        queries.addAll(CellDetailQueries.ALL);
        queries.addAll(GridQueries.ALL);
        for (String sql : queries) {
            String literal = VisibleSql.text(sql)
                    .replaceAll("(?<!:):scenario", "'s'")
                    .replaceAll("(?<!:):most", "17")
                    .replaceAll("(?<!:):mine", "'{1}'::bigint[]")
                    .replaceAll("(?<!:):cells", "'{1,2}'")
                    .replaceAll("(?<!:):(sides|named)", "'{a/b,c/d}'")
                    .replaceAll("(?<!:):metrics", "'{a,b}'::text[]");
            assertThat(plan(literal)).as(sql).isNotEmpty().noneMatch(line -> line.contains("Seq Scan"));
        }
    }

    private MultiComparison compare(ComparisonDimension subject, Caller caller, String baseline, String... candidates) {
        return await(sides.compare(
                subject,
                named(baseline),
                List.of(candidates).stream()
                        .map(MultiComparisonStoreTest::named)
                        .toList(),
                caller));
    }

    private Optional<MultiComparison.Named> choice(ComparisonDimension subject, Caller caller, String value) {
        return await(sides.choices(subject, List.of(value), caller)).stream()
                .filter(choice -> choice.value().equals(value))
                .findFirst();
    }

    private static MultiComparison.Named named(String value) {
        return new MultiComparison.Named(value, value);
    }

    private static Comparison.Pair p50(MultiComparison sides, int candidate) {
        return sides.against().get(candidate).pairs().stream()
                .filter(pair -> pair.cell().metric().equals(DeclaredTest.EXCESS_P50))
                .findFirst()
                .orElseThrow();
    }

    private Caller member() {
        WorkspaceId main = new WorkspaceId(number("select workspace_id from workspace where slug = 'main'"));
        return new Caller.Person(new AccountId(1), "acc_x", "M", false, Map.of(main, Role.MEMBER));
    }
}
