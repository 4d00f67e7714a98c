package dev.loomboard.recompute;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.kit.Bench;
import dev.loomboard.kit.RollupTest;
import dev.loomboard.leaderboard.Entry;
import dev.loomboard.leaderboard.LeaderboardStore;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Which entries ended trials make on the leaderboard, and which entry takes another's place. */
final class LeaderboardEntryTest extends RollupTest {

    private final LeaderboardStore board = new LeaderboardStore(database, json);

    private Collection<Entry> entries(String scenario) {
        List<Long> ids =
                await(database.sql("select leaderboard_entry_id from leaderboard_entry where scenario_key = :scenario")
                        .bind("scenario", scenario)
                        .map(row -> Objects.requireNonNull(row.get(0, Long.class)))
                        .all()
                        .collectList());
        return await(board.entries(ANYBODY, ids, List.of())).values();
    }

    @Test
    void other_options_are_another_entry() {
        Bench bench = new Bench(database, "options");
        long jdk = bench.jdk("options-25", 25, 1);
        String scenario = "options@1?;constant:rate=300,seconds=12";
        Bench.Cell plain = bench.cell(jdk, "public", new Bench.Point(scenario, 0, "{}"));
        Bench.Cell compact = bench.cell(jdk, "public", new Bench.Point(scenario, 0, "{-XX:+UseCompactObjectHeaders}"));
        end(bench.measured(bench.planned(plain, "scored", 1, 1), 101, "valid"));
        end(bench.measured(bench.planned(compact, "scored", 1, 1), 102, "valid"));
        assertThat(entries(scenario))
                .extracting(entry -> entry.settings().jvmOptions())
                .containsExactlyInAnyOrder(List.of(), List.of("-XX:+UseCompactObjectHeaders"));
    }

    @Test
    void other_limits_are_another_entry_and_another_history() {
        Bench bench = new Bench(database, "limits");
        long jdk = bench.jdk("limits-25", 25, 1);
        String scenario = "limits@1?;constant:rate=300,seconds=12";
        for (String limits : List.of("{}", "{\"cpu\": 1.5, \"memoryMiB\": 512}", "{\"cpu\": 1}", "{\"cpu\": 1.0}")) {
            Bench.Cell cell = bench.cell(jdk, "public", new Bench.Point(scenario, 0, "{}", limits));
            end(bench.measured(bench.planned(cell, "scored", 1, 1), 101, "valid"));
        }
        assertThat(entries(scenario))
                .extracting(entry -> entry.settings().limits().words())
                .containsExactlyInAnyOrder("", "1.5 cores, 512 MiB", "1 core");
        assertThat(number("select count(*) from series where scenario_key = '" + scenario
                        + "' and metric = 'response_p99_ms'"))
                .as("one core is one core, however it was written")
                .isEqualTo(3);
    }

    @Test
    void scenario_that_says_most_comes_first() {
        Bench bench = new Bench(database, "order");
        long jdk = bench.jdk("order-25", 25, 1);
        List<String> keys = List.of("order-b@1?;x", "order-a@1?;x", "order-many@1?;x", "order-ranked@1?;x");
        entryOf(bench, jdk, keys.get(1), 5, "{}");
        entryOf(bench, jdk, keys.get(0), 2, "{}");
        entryOf(bench, jdk, keys.get(2), 9, "{}");
        entryOf(bench, jdk, keys.get(2), 9, "{-Xint}");
        Bench.Cell ranked = entryOf(bench, jdk, keys.get(3), 9, "{}");
        execute("update leaderboard_entry set standing = 'ranked', reasons = '{}' where cell_id = " + ranked.id());
        assertThat(await(board.scenarios(ANYBODY, null)).stream()
                        .filter(key -> key.startsWith("order-"))
                        .toList())
                .as("ranked, then most, then as the matrix has them")
                .containsExactly(keys.get(3), keys.get(2), keys.get(0), keys.get(1));
    }

    @Test
    void newest_run_is_on_the_leaderboard() {
        Bench bench = new Bench(database, "newest");
        long jdk = bench.jdk("newest-25", 25, 1);
        Bench.Cell first = bench.cell(jdk, "public");
        Bench.Cell second = bench.cell(jdk, "public");
        end(bench.measured(bench.planned(second, "scored", 1, 1), 102, "valid"));
        end(bench.measured(bench.planned(first, "scored", 1, 1), 101, "valid")); // older, though it ended later
        assertThat(entry(second).path("trials").asInt()).isEqualTo(1);
        assertThat(number("select count(*) from leaderboard_entry where cell_id = " + first.id()))
                .isZero();
        Bench.Cell hidden = bench.cell(jdk, "private");
        end(bench.measured(bench.planned(hidden, "scored", 1, 1), 103, "valid"));
        assertThat(number("select count(*) from leaderboard_entry where cell_id = " + second.id()))
                .isOne();
    }

    @Test
    void trials_of_one_fate_are_named_in_one_reason() {
        Bench bench = new Bench(database, "fate");
        Bench.Cell cell = bench.cell(bench.jdk("fate-25", 25, 1), "public");
        List<Bench.Trial> planned = java.util.stream.IntStream.rangeClosed(1, 4)
                .mapToObj(i -> bench.planned(cell, "scored", i, 1))
                .toList();
        end(bench.measured(planned.getFirst(), 101, "valid"));
        planned.subList(1, 3).forEach(trial -> end(bench.measured(trial, 101, "invalid")));
        end(bench.ended(planned.getLast(), "failed", ""));
        assertThat(reasons(cell))
                .containsExactly(
                        "trials 2, 3 are invalid (the generator lagged)", "trial 4 failed (the generator lagged)");
    }

    /** Its trials are no less sound: what is not known refutes nothing. But it has no place among those that rank. */
    @Test
    void machine_that_does_not_say_how_many_CPUs_it_has_is_not_ranked() {
        Bench.Cell open = tenTrials("cpus-said", bench -> {});
        Bench.Cell concealed = tenTrials("cpus-concealed", Bench::concealCpus);
        assertThat(entry(open).path("standing").asString()).isEqualTo("ranked");
        assertThat(reasons(open)).isEmpty();
        assertThat(entry(concealed).path("standing").asString()).isEqualTo("provisional");
        assertThat(reasons(concealed))
                .containsExactly(
                        "its CPU time could not be checked: the agent does not say how many CPUs the machine has");
        assertThat(number(
                        "select entries::bigint from leaderboard_rank join leaderboard_entry using (leaderboard_entry_id)"
                                + " where cell_id = " + open.id()))
                .as("rows that rank")
                .isEqualTo(1);
    }

    private Bench.Cell tenTrials(String machine, Consumer<Bench> change) {
        Bench bench = new Bench(database, machine);
        bench.qualify();
        change.accept(bench);
        Bench.Cell cell = bench.cell(
                bench.jdk(machine + "-25", 25, 1),
                "public",
                new Bench.Point("cpus@1?;constant:rate=300,seconds=12", 0, "{}"));
        for (int i = 1; i <= 10; i++) {
            end(bench.measured(bench.planned(cell, "scored", i, 1), 101 + i * 0.01, "valid"));
        }
        return cell;
    }

    @Test
    void cells_that_were_cut_short_keep_what_was_measured_and_take_no_whole_entrys_place() {
        Bench bench = new Bench(database, "cut");
        long jdk = bench.jdk("cut-25", 25, 1);
        Bench.Cell whole = bench.cell(jdk, "public");
        end(bench.measured(bench.planned(whole, "scored", 1, 1), 101, "valid"));
        Bench.Cell cut = bench.cell(jdk, "public");
        Bench.Trial measured = bench.planned(cut, "scored", 1, 1);
        Bench.Trial begun = bench.planned(cut, "scored", 2, 1);
        Bench.Trial never = bench.planned(cut, "scored", 3, 1);
        end(bench.measured(measured, 102, "valid"));
        assertThat(points(cut)).isZero();
        execute("update trial set phase = 'warmup' where trial_id = " + begun.id());
        abort(cut, "The run is cancelled.");
        complete(transaction.transactional(rollup.trialsEnded(List.of(begun.id(), never.id()))));
        JsonNode p50 = point(cut, "response_p50_ms");
        assertThat(p50.path("trials").asInt()).isEqualTo(1);
        assertThat(p50.path("standing").asString()).isEqualTo("unranked");
        assertThat(p50.path("reason").asString()).isEqualTo("trials 2, 3 were aborted (The run is cancelled.)");
        assertThat(entry(whole).path("standing").asString()).isEqualTo("few");
        Bench.Cell next = bench.cell(jdk, "public");
        end(bench.measured(bench.planned(next, "scored", 1, 1), 103, "valid"));
        assertThat(entry(next).path("standing").asString()).isEqualTo("few");
    }

    @Test
    void cell_that_a_cancelled_run_never_came_to_has_nothing_to_say() {
        Bench bench = new Bench(database, "never");
        Bench.Cell cell = bench.cell(bench.jdk("never-25", 25, 1), "public");
        Bench.Trial trial = bench.planned(cell, "scored", 1, 1);
        abort(cell, "The run is cancelled.");
        end(trial);
        assertThat(number("select count(*) from leaderboard_entry where cell_id = " + cell.id()))
                .isZero();
    }

    private Bench.Cell entryOf(Bench bench, long jdk, String scenario, int ordinal, String options) {
        Bench.Cell cell = bench.cell(jdk, "public", new Bench.Point(scenario, ordinal, options));
        end(bench.measured(bench.planned(cell, "scored", 1, 1), 101, "valid"));
        return cell;
    }

    /** As the queue does with what has not ended. */
    private void abort(Bench.Cell cell, String reason) {
        execute(
                "update trial set state = 'aborted', reason = '%s', finished_at = now() where cell_id = %d and state = 'planned'"
                        .formatted(reason, cell.id()));
    }
}
