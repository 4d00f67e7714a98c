package dev.loomboard.matching;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.loomboard.kernel.AccountId;
import dev.loomboard.kernel.Caller;
import dev.loomboard.kernel.Role;
import dev.loomboard.kernel.VisibleSql;
import dev.loomboard.kernel.WorkspaceId;
import dev.loomboard.kit.Bench;
import dev.loomboard.kit.Rollups;
import dev.loomboard.kit.StoreTest;
import dev.loomboard.recompute.RecomputeService;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** From rolled-up cells to what two builds share. */
final class CompareStoreTest extends StoreTest {

    private static final Caller ANYBODY = new Caller.Anonymous();
    private static final String P50 = "response_excess_p50_ms";
    private static final Bench.Point PLAIN = new Bench.Point(Bench.SCENARIO, 0, "{}");
    private static final Bench.Point COMPACT = new Bench.Point(Bench.SCENARIO, 0, "{-XX:+UseCompactObjectHeaders}");

    private final CompareStore store = new CompareStore(database, new AttemptStore(database));
    private final RecomputeService rollup = Rollups.of(database, json);

    @Test
    void both_builds_sides_of_a_cell_are_set_against_each_other() {
        Bench bench = new Bench(database, "both");
        long old = bench.jdk("both-25", 25, 1);
        long young = bench.jdk("both-26", 26, 1);
        Bench.Cell a = measured(bench, old, "public", PLAIN, 102, 102.2);
        Bench.Cell b = measured(bench, young, "public", PLAIN, 104, 104.4);
        Comparison found = await(store.compare("both-25", "both-26", ANYBODY));
        assertThat(found.baseline().slug()).isEqualTo("both-25");
        assertThat(found.candidate().feature()).isEqualTo(26);
        assertThat(found.distribution()).isFalse();
        Comparison.Pair pair = pair(found);
        assertThat(pair.baseline().cell()).isEqualTo(a.external());
        assertThat(pair.candidate().cell()).isEqualTo(b.external());
        assertThat(pair.baseline().values()).hasSize(2);
        assertThat(Objects.requireNonNull(pair.estimate().ratio())).isCloseTo(2, within(0.1));
        assertThat(Objects.requireNonNull(pair.estimate().low()))
                .isLessThan(pair.estimate().ratio());
        assertThat(found.pairs())
                .extracting(each -> each.cell().metric())
                .containsSequence(P50, "response_excess_p99_ms");
        Comparison turned = await(store.compare("both-26", "both-25", ANYBODY));
        assertThat(Objects.requireNonNull(pair(turned).estimate().ratio())).isCloseTo(0.5, within(0.05));
    }

    @Test
    void newest_run_of_each_build_is_compared() {
        Bench bench = new Bench(database, "newest");
        long old = bench.jdk("newest-25", 25, 1);
        measured(bench, old, "public", PLAIN, 150, 151);
        Bench.Cell newest = measured(bench, old, "public", PLAIN, 102, 102.2);
        measured(bench, bench.jdk("newest-26", 26, 1), "public", PLAIN, 103, 103.1);
        Comparison found = await(store.compare("newest-25", "newest-26", ANYBODY));
        assertThat(pair(found).baseline().cell()).isEqualTo(newest.external());
    }

    @Test
    void cells_of_other_options_or_of_one_build_only_are_no_pair() {
        Bench bench = new Bench(database, "options");
        measured(bench, bench.jdk("options-25", 25, 1), "public", PLAIN, 102, 102.2);
        measured(bench, bench.jdk("options-26", 26, 1), "public", COMPACT, 103, 103.1);
        assertThat(await(store.compare("options-25", "options-26", ANYBODY)).pairs())
                .isEmpty();
    }

    @Test
    void private_runs_are_compared_for_members_only() {
        Bench bench = new Bench(database, "hidden");
        measured(bench, bench.jdk("hidden-25", 25, 1), "public", PLAIN, 102, 102.2);
        measured(bench, bench.jdk("hidden-26", 26, 1), "private", PLAIN, 103, 103.1);
        WorkspaceId main = new WorkspaceId(number("select workspace_id from workspace where slug = 'main'"));
        Caller member = new Caller.Person(new AccountId(1), "acc_x", "M", false, Map.of(main, Role.MEMBER));
        Caller stranger =
                new Caller.Person(new AccountId(2), "acc_y", "S", false, Map.of(new WorkspaceId(-1), Role.OWNER));
        for (Caller caller : List.of(ANYBODY, stranger)) {
            assertThat(isEmpty(store.compare("hidden-25", "hidden-26", caller)))
                    .as("not even that there are such builds")
                    .isTrue();
        }
        assertThat(await(store.compare("hidden-25", "hidden-26", member)).pairs())
                .isNotEmpty();
    }

    @Test
    void build_that_does_not_exist_has_no_comparison() {
        new Bench(database, "none").jdk("none-25", 25, 1);
        assertThat(isEmpty(store.compare("none-25", "none-99", ANYBODY))).isTrue();
    }

    @Test
    void both_queries_can_be_answered_by_indices() {
        for (String sql : List.of(CompareStore.BUILDS, CompareStore.SIDES)) {
            String literal = VisibleSql.text(sql)
                    .replaceAll("(?<!:):mine", "'{1}'::bigint[]")
                    .replaceAll("(?<!:):(slugs|metrics)", "'{a,b}'::text[]");
            assertThat(plan(literal)).isNotEmpty().noneMatch(line -> line.contains("Seq Scan"));
        }
    }

    private Bench.Cell measured(Bench bench, long jdk, String visibility, Bench.Point point, double... millis) {
        Bench.Cell cell = bench.cell(jdk, visibility, point);
        List<Bench.Trial> planned = java.util.stream.IntStream.rangeClosed(1, millis.length)
                .mapToObj(i -> bench.planned(cell, "scored", i, 1))
                .toList();
        for (int i = 0; i < millis.length; i++) {
            Bench.Trial trial = bench.measured(planned.get(i), millis[i], "valid");
            complete(transaction.transactional(rollup.trialEnded(trial.id())));
        }
        return cell;
    }

    private static Comparison.Pair pair(Comparison found) {
        return found.pairs().stream()
                .filter(p -> p.cell().metric().equals(P50))
                .findFirst()
                .orElseThrow();
    }
}
