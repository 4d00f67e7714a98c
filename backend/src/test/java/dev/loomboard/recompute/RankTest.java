package dev.loomboard.recompute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.loomboard.kit.Bench;
import dev.loomboard.kit.RollupTest;
import dev.loomboard.leaderboard.Entry;
import dev.loomboard.leaderboard.LeaderboardStore;
import dev.loomboard.ranking.BoardKey;
import dev.loomboard.ranking.RankService;
import dev.loomboard.ranking.RankStore;
import java.util.List;
import java.util.Objects;
import org.assertj.core.groups.Tuple;
import org.junit.jupiter.api.Test;
import org.springframework.r2dbc.connection.R2dbcTransactionManager;
import reactor.core.publisher.Mono;

/** Ranks as finished cells make them: who is ranked together, who is not, and what each audience may conclude. */
final class RankTest extends RollupTest {

    private static final double[] NOISE = {0, 0.3, -0.2, 0.1, -0.3, 0.2, 0.05, -0.1, 0.15, -0.25};

    private final RankService ranks = new RankService(new RankStore(database, json));

    /** A qualified machine, a build and a scenario of the test's own. */
    private final class Scene {
        final Bench bench;
        final long jdk;
        final String scenario;

        Scene(String name) {
            bench = new Bench(database, name);
            bench.qualify();
            jdk = bench.jdk(name + "-25", 25, 1);
            scenario = name + "@1?;constant:rate=300,seconds=12";
        }

        /** A finished cell whose median is about {@code millis}; options tell it from the others. */
        Bench.Cell cell(String options, String visibility, int trials, double millis) {
            Bench.Cell cell = measured(options, visibility, trials, millis);
            complete(end(cell));
            return cell;
        }

        Bench.Cell measured(String options, String visibility, int trials, double millis) {
            Bench.Cell cell = bench.cell(jdk, visibility, new Bench.Point(scenario, 0, "{-D" + options + "}"));
            for (int i = 0; i < trials; i++) {
                bench.measured(bench.planned(cell, "scored", i + 1, 1), millis + NOISE[i], "valid");
            }
            return cell;
        }

        Mono<Void> end(Bench.Cell cell) {
            return database.sql("select trial_id from trial where cell_id = :cell order by trial_id")
                    .bind("cell", cell.id())
                    .map(row -> Objects.requireNonNull(row.get(0, Long.class)))
                    .all()
                    .collectList()
                    .flatMap(rollup::trialsEnded)
                    .as(transaction::transactional);
        }

        /** Each once. */
        List<String> spreads() {
            return await(database.sql("""
                            select distinct r.run_spread || case when r.spread_assumed then ' assumed' else ' known' end
                              from leaderboard_rank r join leaderboard_entry e using (leaderboard_entry_id)
                             where e.scenario_key = :scenario order by 1
                            """)
                    .bind("scenario", scenario)
                    .map(row -> Objects.requireNonNull(row.get(0, String.class)))
                    .all()
                    .collectList());
        }

        /** Options, best, worst and number of entries, in the order of the options. */
        List<Tuple> ranked() {
            return await(database.sql("""
                            select e.jvm_options[1] as options, r.best, r.worst, r.entries
                              from leaderboard_rank r join leaderboard_entry e using (leaderboard_entry_id)
                             where e.scenario_key = :scenario order by 1
                            """)
                    .bind("scenario", scenario)
                    .map(row -> tuple(
                            Objects.requireNonNull(row.get("options", String.class))
                                    .substring(2),
                            row.get("best", Integer.class),
                            row.get("worst", Integer.class),
                            row.get("entries", Integer.class)))
                    .all()
                    .collectList());
        }
    }

    @Test
    void entries_are_ranked_as_they_come_and_ties_share_their_range() {
        Scene scene = new Scene("ranks");
        Bench.Cell a = scene.cell("a", "public", 10, 110);
        assertThat(scene.ranked()).containsExactly(tuple("a", 1, 1, 1));
        scene.cell("b", "public", 10, 95);
        Bench.Cell c = scene.cell("c", "public", 10, 110.02);
        scene.cell("d", "public", 10, 130);
        assertThat(scene.ranked())
                .containsExactly(tuple("a", 2, 3, 4), tuple("b", 1, 1, 4), tuple("c", 2, 3, 4), tuple("d", 4, 4, 4));
        assertThat(
                        row("select to_json(nearest)::text from leaderboard_rank join leaderboard_entry using (leaderboard_entry_id) where cell_id = "
                                        + a.id())
                                .get(0)
                                .asLong())
                .isEqualTo(c.id());
        assertThat(entry(a).path("headline").asString()).isEqualTo("response_p50_ms");
    }

    /** Once only the nearest three were stored. */
    @Test
    void board_of_which_not_all_ties_are_stored_is_ranked_once_more() {
        Scene scene = new Scene("cut");
        scene.cell("a", "public", 10, 110);
        scene.cell("b", "public", 10, 110.02);
        scene.cell("c", "public", 10, 110.04);
        execute(ties(
                "update leaderboard_rank r set nearest = array[nearest[1]] from leaderboard_entry e where e.leaderboard_entry_id ="
                        + " r.leaderboard_entry_id",
                scene));
        RankService ranks = new RankService(new RankStore(database, json));
        List<BoardKey> boards = await(ranks.incomplete().collectList());
        assertThat(boards).extracting(BoardKey::scenarioKey).contains(scene.scenario);
        complete(ranks.rank(boards));
        assertThat(number(ties(
                        "select min(cardinality(nearest)) from leaderboard_rank r join leaderboard_entry e using"
                                + " (leaderboard_entry_id) where true",
                        scene)))
                .isEqualTo(2);
        assertThat(await(ranks.incomplete().collectList())).isEmpty();
    }

    private static String ties(String sql, Scene scene) {
        return sql + " and e.scenario_key = '" + scene.scenario + "'";
    }

    /** 5 % apart, of runs that are assumed to vary by 2 %: the fifth run of one build shows that they do not. */
    @Test
    void runs_of_a_build_tell_their_spread_to_all_boards_of_the_scenario() {
        Scene scene = new Scene("runs");
        Bench.Cell otherwise = scene.measured("other", "public", 10, 90);
        execute("update run set spec = '{\"protocol\": \"other/1\"}' where run_id = " + otherwise.run());
        complete(scene.end(otherwise));
        scene.cell("b", "public", 10, 105);
        for (int run = 1; run < 5; run++) {
            scene.cell("a", "public", 10, 110 + 0.05 * run);
        }
        assertThat(scene.ranked()).contains(tuple("a", 1, 2, 2), tuple("b", 1, 2, 2));
        assertThat(scene.spreads()).containsExactly("0.02 assumed");
        scene.cell("a", "public", 10, 110);
        assertThat(scene.ranked()).contains(tuple("a", 2, 2, 2), tuple("b", 1, 1, 2));
        assertThat(scene.spreads())
                .as("of all three rows")
                .singleElement()
                .asString()
                .startsWith("0.00")
                .endsWith(" known");
        Entry row = await(new LeaderboardStore(database, json)
                        .entries(
                                ANYBODY,
                                List.of(number("select max(leaderboard_entry_id) from leaderboard_entry")),
                                List.of()))
                .values()
                .iterator()
                .next();
        assertThat(Objects.requireNonNull(
                                Objects.requireNonNull(row.rating().rank()).runSpread())
                        .assumed())
                .isFalse();
    }

    @Test
    void private_runs_and_reruns_of_suspects_tell_a_public_board_nothing() {
        Scene scene = new Scene("told");
        for (int run = 0; run < 5; run++) {
            scene.cell("a", "private", 10, 110);
        }
        assertThat(scene.spreads())
                .as("their own board")
                .singleElement()
                .asString()
                .endsWith("known");
        scene.cell("b", "public", 10, 104);
        assertThat(scene.spreads()).contains("0.02 assumed");
        for (int run = 0; run < 5; run++) {
            Bench.Cell again = scene.measured("c", "public", 10, 110);
            execute("update run set follow_up = true where run_id = " + again.run());
            complete(scene.end(again));
        }
        assertThat(scene.spreads()).contains("0.02 assumed");
    }

    @Test
    void what_is_provisional_moves_no_rank_and_fewer_than_five_trials_have_no_place() {
        Scene scene = new Scene("apart");
        scene.cell("a", "public", 10, 110);
        scene.cell("b", "public", 10, 120);
        scene.cell("five", "public", 5, 101);
        scene.cell("six", "public", 6, 101.01);
        Bench.Cell few = scene.cell("four", "public", 4, 90);
        assertThat(scene.ranked())
                .containsExactly(
                        tuple("a", 1, 1, 2), tuple("b", 2, 2, 2), tuple("five", 1, 2, 2), tuple("six", 1, 2, 2));
        assertThat(entry(few).path("standing").asString()).isEqualTo("few");
        assertThat(reasons(few)).containsExactly("4 trials of the 10 that a rank needs");
        assertThat(point(few, "response_p50_ms").path("standing").asString())
                .as("in a history it is a point like others")
                .isEqualTo("provisional");
    }

    @Test
    void entry_that_is_spoilt_by_a_newer_run_loses_its_rank_and_the_others_close_up() {
        Scene scene = new Scene("spoilt");
        scene.cell("a", "public", 10, 101);
        scene.cell("b", "public", 10, 120);
        Bench.Cell again = scene.bench.cell(scene.jdk, "public", new Bench.Point(scene.scenario, 0, "{-Da}"));
        end(scene.bench.ended(scene.bench.planned(again, "scored", 1, 1), "failed", ""));
        assertThat(scene.ranked()).containsExactly(tuple("b", 1, 1, 1));
    }

    @Test
    void private_entries_are_ranked_among_themselves_and_show_in_no_public_rank() {
        Scene scene = new Scene("private");
        scene.cell("a", "public", 10, 110);
        scene.cell("b", "public", 10, 120);
        List<Tuple> before = scene.ranked();
        scene.cell("y", "private", 10, 101);
        scene.cell("z", "private", 10, 115);
        assertThat(scene.ranked())
                .startsWith(before.toArray(Tuple[]::new))
                .endsWith(tuple("y", 1, 1, 2), tuple("z", 2, 2, 2))
                .hasSize(4);
    }

    @Test
    void other_classes_protocols_and_scenarios_are_other_boards() {
        Scene scene = new Scene("boards");
        scene.cell("a", "public", 10, 110);
        Bench.Cell elsewhere = scene.measured("b", "public", 10, 101);
        execute("update trial set class_hash = 'another' where cell_id = " + elsewhere.id());
        complete(scene.end(elsewhere));
        Bench.Cell otherwise = scene.measured("c", "public", 10, 90);
        execute("update run set spec = '{\"protocol\": \"other/1\"}' where run_id = " + otherwise.run());
        complete(scene.end(otherwise));
        assertThat(scene.ranked()).containsExactly(tuple("a", 1, 1, 1), tuple("b", 1, 1, 1), tuple("c", 1, 1, 1));
    }

    @Test
    void recomputing_gives_the_same_ranks_and_writes_none_of_them() {
        Scene scene = new Scene("again-ranks");
        Bench.Cell a = scene.cell("a", "public", 10, 110);
        scene.cell("b", "public", 10, 110.1);
        String before = written(scene);
        complete(transaction.transactional(rollup.recompute(a.run())));
        assertThat(written(scene)).isEqualTo(before);

        execute("update run set state = 'done' where run_id = " + a.run());
        execute("update leaderboard_rank set best = 1, worst = 1 where leaderboard_entry_id ="
                + " (select leaderboard_entry_id from leaderboard_entry where cell_id = " + a.id() + ")");
        RollupCheckService checks =
                new RollupCheckService(database, rollup, new R2dbcTransactionManager(database.getConnectionFactory()));
        assertThat(await(checks.all().collectList()))
                .filteredOn(check -> !check.same())
                .singleElement()
                .satisfies(check -> assertThat(check.differences())
                        .extracting(RollupCheck.Difference::kind, RollupCheck.Difference::stored)
                        .containsExactlyInAnyOrder(
                                tuple(RollupCheck.Kind.RANK, true), tuple(RollupCheck.Kind.RANK, false)));
    }

    /** Also which transaction wrote each. */
    private String written(Scene scene) {
        return row("""
                        select coalesce(json_agg(json_build_array(r.xmin, r.*) order by r.leaderboard_entry_id), '[]')::text
                          from leaderboard_rank r join leaderboard_entry e using (leaderboard_entry_id) where e.scenario_key = '%s'
                        """.formatted(scene.scenario)).toString();
    }

    /** Each sees only its own entry and those that were committed before: without a wait, both would count two of three. */
    @Test
    void two_cells_that_finish_at_once_both_count() {
        Scene scene = new Scene("at-once");
        scene.cell("a", "public", 10, 110);
        Bench.Cell b = scene.measured("b", "public", 10, 120);
        Bench.Cell c = scene.measured("c", "public", 10, 130);
        complete(Mono.when(scene.end(b), scene.end(c)));
        assertThat(scene.ranked()).containsExactly(tuple("a", 1, 1, 3), tuple("b", 2, 2, 3), tuple("c", 3, 3, 3));
    }

    @Test
    void boards_of_a_machine_are_those_its_entries_stand_on() {
        Scene scene = new Scene("moved");
        scene.cell("a", "public", 10, 110);
        long machine = number("select machine_id from machine where slug = 'moved'");
        List<BoardKey> boards = await(ranks.boardsOf(machine).collectList());
        assertThat(boards).containsExactly(new BoardKey(0, scene.scenario, "class", "quick/1"));
        execute("update leaderboard_entry set visibility = 'private' where machine_id = " + machine);
        List<BoardKey> hidden = await(ranks.boardsOf(machine).collectList());
        assertThat(hidden).extracting(BoardKey::workspace).doesNotContain(0L);
        execute("delete from leaderboard_rank");
        complete(transaction.transactional(ranks.rank(hidden)));
        assertThat(scene.ranked()).containsExactly(tuple("a", 1, 1, 1));
    }

    @Test
    void page_finds_its_entries_and_their_ranks_by_indices() {
        assertThat(String.join("\n", plan("""
                        select e.server, k.best,
                               array(select n.external_id from unnest(k.nearest) with ordinality as o (cell_id, place)
                                            join cell n on n.cell_id = o.cell_id order by o.place)
                          from leaderboard_entry e left join leaderboard_rank k using (leaderboard_entry_id)
                          join cell c on c.cell_id = e.cell_id
                         where (e.visibility = 'public' or e.workspace_id = any(array[1]::bigint[])) and e.scenario_key = any(array['x', 'y'])
                        """)))
                .contains("leaderboard_entry_scenario_ix", "leaderboard_rank_pk", "cell_pk")
                .doesNotContain("Seq Scan");
    }

    @Test
    void candidates_are_found_by_indices() {
        assertThat(String.join("\n", plan("""
                        select e.leaderboard_entry_id, p.trial_values
                          from leaderboard_entry e
                          join series s on s.external_id = e.metrics -> e.headline ->> 'series'
                          join point p on p.cell_id = e.cell_id and p.series_id = s.series_id
                         where e.visibility = 'public' and e.scenario_key = 'x' and e.class_hash = 'y'
                        """)))
                .contains("leaderboard_entry_scenario_ix", "series_external_id_uq")
                .doesNotContain("Seq Scan");
    }

    @Test
    void repeats_are_found_by_indices() {
        assertThat(String.join("\n", plan("""
                        select p.trial_values
                          from (select s.machine_id, p.* from series s
                                 cross join lateral (select p.* from point p where p.series_id = s.series_id and p.eligible
                                                      order by p.measured_at desc, p.point_id desc limit 50) p
                                 where s.machine_id = any(array[1]::bigint[]) and s.metric = 'x' and s.scenario_key = 'y') p
                          join run r using (run_id)
                        """)))
                .contains("point_series_measured_ix")
                .doesNotContain("Seq Scan");
    }
}
