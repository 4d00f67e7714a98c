package dev.loomboard.series;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.loomboard.kit.Bench;
import dev.loomboard.kit.StoreTest;
import dev.loomboard.leaderboard.Entry;
import dev.loomboard.leaderboard.LeaderboardRollupStore;
import dev.loomboard.leaderboard.LeaderboardStore;
import dev.loomboard.web.AccountId;
import dev.loomboard.web.Caller;
import dev.loomboard.web.Role;
import dev.loomboard.web.WorkspaceId;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** From an ended trial to points, leaderboard entries and what pages read. */
final class RollupTest extends StoreTest {

    private static final Caller ANYBODY = new Caller.Anonymous();

    private final CellStore cells = new CellStore(database, json);
    private final RollupService rollup = new RollupService(
            new RollupStore(database, json), cells, new LeaderboardRollupStore(database, json), Clock.systemUTC());
    private final LeaderboardStore board = new LeaderboardStore(database, json);
    private final TrialStore trials = new TrialStore(database, json);
    private final SeriesStore histories = new SeriesStore(database);

    @Test
    void single_trial_is_a_provisional_point_without_interval() {
        Bench bench = new Bench(database, "single");
        Bench.Cell cell = bench.cell(bench.jdk("single-25", 25, 1), "public");
        end(bench.measured(bench.planned(cell, "scored", 1, 1), 101, "valid"));
        JsonNode p50 = point(cell, "response_excess_p50_ms");
        assertThat(p50.path("mean").asDouble()).isCloseTo(1, within(0.1));
        assertThat(p50.path("low").isNull()).isTrue();
        assertThat(p50.path("eligible").asBoolean()).isTrue();
        assertThat(p50.path("standing").asString()).isEqualTo("provisional");
        assertThat(p50.path("reason").asString())
                .isEqualTo("1 trial of the 10 that a rank needs; the machine has not passed its qualification; "
                        + "load and server shared the machine's cores");
        assertThat(point(cell, "response_p99_ms").path("reason").asString()).contains("36 of 3600 hits lie beyond p99");
        JsonNode entry = entry(cell);
        assertThat(entry.path("standing").asString()).isEqualTo("provisional");
        assertThat(entry.path("metrics").path("cpu_cores").path("mean").asDouble())
                .isCloseTo(0.5, within(1e-9));
        assertThat(entry.path("metrics").path("response_p50_ms").path("series").asString())
                .startsWith("ser_");
        assertThat(entry.path("metrics").has("gc_count_per_min")).isFalse(); // not sampled: absent, not zero
    }

    @Test
    void ten_trials_on_a_qualified_machine_rank() {
        Bench bench = new Bench(database, "ten");
        bench.qualify();
        Bench.Cell cell = bench.cell(bench.jdk("ten-25", 25, 1), "public");
        List<Bench.Trial> planned = java.util.stream.IntStream.rangeClosed(1, 10)
                .mapToObj(i -> bench.planned(cell, "scored", i, 1))
                .toList();
        for (int i = 0; i < 9; i++) {
            end(bench.measured(planned.get(i), 101 + i * 0.1, "valid"));
        }
        assertThat(points(cell)).isZero(); // one is still to come
        end(bench.measured(planned.get(9), 102, "valid"));
        JsonNode p50 = point(cell, "response_p50_ms");
        assertThat(p50.path("standing").asString()).isEqualTo("ranked");
        assertThat(p50.path("reason").isNull()).isTrue();
        assertThat(p50.path("trials").asInt()).isEqualTo(10);
        assertThat(p50.path("low").asDouble())
                .isLessThan(p50.path("mean").asDouble())
                .isGreaterThan(101);
        assertThat(p50.path("high").asDouble())
                .isGreaterThan(p50.path("mean").asDouble())
                .isLessThan(102.1);
        assertThat(p50.path("trial_ids").get(9).asLong())
                .isEqualTo(planned.get(9).id());
    }

    @Test
    void recomputing_gives_the_same_to_the_last_bit() {
        Bench bench = new Bench(database, "again");
        Bench.Cell cell = bench.cell(bench.jdk("again-25", 25, 1), "public");
        Bench.Trial one = bench.planned(cell, "scored", 1, 1);
        Bench.Trial two = bench.planned(cell, "scored", 2, 1);
        end(bench.measured(one, 101.3, "valid"));
        end(bench.measured(two, 101.7, "valid"));
        String before = numbers(cell);
        assertThat(before).contains("response_p50_ms");
        complete(transaction.transactional(rollup.recompute(cell.run())));
        assertThat(numbers(cell)).isEqualTo(before);
    }

    @Test
    void invalid_and_failed_trials_are_unranked_with_the_reason() {
        Bench bench = new Bench(database, "bad");
        Bench.Cell invalid = bench.cell(bench.jdk("bad-25", 25, 1), "public");
        end(bench.measured(bench.planned(invalid, "scored", 1, 1), 101, "invalid"));
        assertThat(entry(invalid).path("standing").asString()).isEqualTo("unranked");
        assertThat(reasons(invalid)).containsExactly("trial 1 is invalid (the generator lagged)");
        Bench.Cell failed = bench.cell(bench.jdk("bad-26", 26, 1), "public");
        end(bench.ended(bench.planned(failed, "scored", 1, 1), "failed", ""));
        assertThat(entry(failed).path("standing").asString()).isEqualTo("unranked");
        assertThat(reasons(failed).getFirst()).startsWith("trial 1 failed");
        assertThat(entry(failed).path("metrics").isEmpty()).isTrue();
        assertThat(points(failed)).isZero();
    }

    @Test
    void trial_without_a_steady_state_never_ranks_and_one_that_drifted_is_provisional() {
        Bench bench = new Bench(database, "steady");
        Bench.Cell never = bench.cell(bench.jdk("steady-25", 25, 1), "public");
        end(told(bench.measured(bench.planned(never, "scored", 1, 1), 101, "valid"), """
                {"steady": {"criterion": "warm/1", "verdict": "no_steady_state", "warmupMs": null}}"""));
        assertThat(entry(never).path("standing").asString()).isEqualTo("unranked");
        assertThat(reasons(never).getFirst()).startsWith("trial 1 never reached a steady state");
        Bench.Cell drifted = bench.cell(bench.jdk("steady-26", 26, 1), "public");
        end(told(bench.measured(bench.planned(drifted, "scored", 1, 1), 101, "valid"), """
                {"steady": {"criterion": "warm/1", "verdict": "drift", "warmupMs": 14000}}"""));
        assertThat(entry(drifted).path("standing").asString()).isEqualTo("provisional");
        assertThat(reasons(drifted)).anyMatch(reason -> reason.startsWith("trial 1 drifted while measured"));
        assertThat(point(drifted, "time_to_steady_s").path("mean").asDouble()).isCloseTo(14, within(1e-9));
    }

    @Test
    void rate_of_a_search_is_judged_only_when_it_was_confirmed() {
        Bench bench = new Bench(database, "search");
        Bench.Cell sure = bench.cell(bench.jdk("search-25", 25, 1), "public");
        end(told(bench.measured(bench.planned(sure, "scored", 1, 1), 101, "valid"), """
                {"search": {"maxRate": 985.8, "criticalRate": null, "confirmed": true, "resolved": true}}"""));
        assertThat(point(sure, "max_rate_per_s").path("mean").asDouble()).isCloseTo(985.8, within(1e-9));
        assertThat(point(sure, "max_rate_per_s").path("eligible").asBoolean()).isTrue();
        assertThat(entry(sure).path("metrics").has("critical_rate_per_s")).isFalse(); // a bound has no rate
        Bench.Cell unsure = bench.cell(bench.jdk("search-26", 26, 1), "public");
        end(told(bench.measured(bench.planned(unsure, "scored", 1, 1), 101, "valid"), """
                {"search": {"maxRate": 3200, "criticalRate": 900, "confirmed": true, "resolved": false}}"""));
        assertThat(point(unsure, "max_rate_per_s").path("eligible").asBoolean()).isFalse();
        assertThat(point(unsure, "critical_rate_per_s").path("reason").asString())
                .contains("not confirmed");
    }

    private Bench.Trial told(Bench.Trial trial, String facts) {
        execute("update trial set end_facts = end_facts || '" + facts + "'::jsonb where trial_id = " + trial.id());
        return trial;
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
        assertThat(entry(whole).path("standing").asString()).isEqualTo("provisional");
        Bench.Cell next = bench.cell(jdk, "public");
        end(bench.measured(bench.planned(next, "scored", 1, 1), 103, "valid"));
        assertThat(entry(next).path("standing").asString()).isEqualTo("provisional");
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

    @Test
    void other_options_are_another_entry() {
        Bench bench = new Bench(database, "options");
        long jdk = bench.jdk("options-25", 25, 1);
        String scenario = "options@1?;constant:rate=300,seconds=12";
        Bench.Cell plain = bench.cell(jdk, "public", new Bench.Point(scenario, 0, "{}"));
        Bench.Cell compact = bench.cell(jdk, "public", new Bench.Point(scenario, 0, "{-XX:+UseCompactObjectHeaders}"));
        end(bench.measured(bench.planned(plain, "scored", 1, 1), 101, "valid"));
        end(bench.measured(bench.planned(compact, "scored", 1, 1), 102, "valid"));
        assertThat(await(board.entries(ANYBODY, scenario)))
                .extracting(Entry::jvmOptions)
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
        assertThat(await(board.entries(ANYBODY, scenario)))
                .extracting(entry -> entry.limits().words())
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
        assertThat(await(board.scenarios(ANYBODY)).stream()
                        .filter(key -> key.startsWith("order-"))
                        .toList())
                .as("ranked, then most, then as the matrix has them")
                .containsExactly(keys.get(3), keys.get(2), keys.get(0), keys.get(1));
    }

    @Test
    void late_trial_gets_numbers_but_no_point() {
        Bench bench = new Bench(database, "late");
        Bench.Cell cell = bench.cell(bench.jdk("late-25", 25, 1), "public");
        Bench.Trial old = bench.measured(bench.planned(cell, "scored", 1, 1), 500, "valid");
        Bench.Trial newer = bench.planned(cell, "scored", 1, 2);
        execute("update trial set late = true where trial_id = " + old.id());
        end(old);
        assertThat(number("select count(*) from trial_metric where trial_id = " + old.id()))
                .isPositive();
        assertThat(points(cell)).isZero();
        end(bench.measured(newer, 101, "valid"));
        assertThat(point(cell, "response_p50_ms").path("trials").asInt()).isEqualTo(1);
        assertThat(point(cell, "response_p50_ms").path("mean").asDouble()).isCloseTo(101, within(0.1));
    }

    @Test
    void diagnostic_trial_that_ends_later_adds_its_contention() {
        Bench bench = new Bench(database, "diag");
        Bench.Cell cell = bench.cell(bench.jdk("diag-25", 25, 1), "public");
        Bench.Trial scored = bench.planned(cell, "scored", 1, 1);
        Bench.Trial diagnostic = bench.planned(cell, "diagnostic", 1, 1);
        end(bench.measured(scored, 101, "valid"));
        assertThat(entry(cell).path("metrics").has("contended_per_1k_requests")).isFalse();
        end(bench.measured(diagnostic, 900, "valid"));
        JsonNode metrics = entry(cell).path("metrics");
        assertThat(metrics.path("contended_per_1k_requests").path("mean").asDouble())
                .isEqualTo(10);
        assertThat(metrics.path("response_p50_ms").path("mean").asDouble()).isCloseTo(101, within(0.1));
        TrialDetail page = await(trials.detail(scored.external(), ANYBODY));
        assertThat(Objects.requireNonNull(page.contention()).trial()).isEqualTo(diagnostic.external());
        assertThat(page.contention().byVirtualThreads()).isEqualTo(12);
        assertThat(page.siblings()).extracting(TrialDetail.Sibling::id).containsExactly(diagnostic.external());
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
    void trial_page_has_all_that_was_stored() {
        Bench bench = new Bench(database, "page");
        Bench.Cell cell = bench.cell(bench.jdk("page-25", 25, 1), "public");
        Bench.Trial trial = bench.measured(bench.planned(cell, "scored", 1, 1), 101, "valid");
        end(trial);
        TrialDetail page = await(trials.detail(trial.external(), ANYBODY));
        assertThat(page.setup().jdk().slug()).isEqualTo("page-25");
        assertThat(page.setup().protocol()).isEqualTo("quick/1");
        assertThat(page.phases()).extracting(TrialDetail.PhaseEntry::phase).containsExactly("start", "measure");
        assertThat(page.windows()).hasSize(12);
        assertThat(page.windows().getFirst().responseP50Ms()).isEqualTo(101);
        assertThat(page.windows().getFirst().serviceP99Ms()).isNull();
        StepPercentiles.Value p50 = Objects.requireNonNull(
                page.steps().getFirst().percentiles().response().get("p50"));
        assertThat(p50.nanos()).isBetween(100_900_000L, 101_100_000L);
        assertThat(page.steps().getFirst().percentiles().response()).containsKeys("p50", "p90", "p95", "p99", "p999");
        SampleSeries cpu = page.samples().getFirst();
        assertThat(cpu.metric()).isEqualTo("proc.cpu_user_s");
        assertThat(cpu.values()).hasSize(26).contains(0.25).startsWith((Double) null);
        SampleSeries rss = page.samples().getLast();
        assertThat(rss.values().get(12)).isNull();
        assertThat(page.metrics()).containsKeys("response_p50_ms", "startup_ms");
        assertThat(page.startFacts().path("heapMiB").asInt()).isEqualTo(512);
        PercentileCurve curve = await(trials.curve(trial.external(), 0, ANYBODY));
        assertThat(curve.hits()).isEqualTo(3600);
        assertThat(curve.points().getFirst().responseMs()).isCloseTo(101, within(0.1));
        assertThat(isEmpty(trials.curve(trial.external(), 1, ANYBODY))).isTrue();
    }

    @Test
    void planned_trial_has_a_page_with_nothing_measured() {
        Bench bench = new Bench(database, "planned");
        Bench.Trial trial = bench.planned(bench.cell(bench.jdk("planned-25", 25, 1), "public"), "scored", 1, 1);
        TrialDetail page = await(trials.detail(trial.external(), ANYBODY));
        assertThat(page.metrics()).isEmpty();
        assertThat(page.steps()).isEmpty();
        assertThat(page.contention()).isNull();
        end(trial); // it has not ended: nothing happens
        assertThat(number("select count(*) from trial_metric where trial_id = " + trial.id()))
                .isZero();
    }

    @Test
    void private_results_are_for_members_only() {
        Bench bench = new Bench(database, "hidden");
        long jdk = bench.jdk("hidden-25", 25, 1);
        Bench.Cell open = bench.cell(jdk, "public");
        Bench.Trial seen = bench.measured(bench.planned(open, "scored", 1, 1), 101, "valid");
        end(seen);
        Bench.Cell cell = bench.cell(jdk, "private");
        Bench.Trial trial = bench.measured(bench.planned(cell, "scored", 1, 1), 102, "valid");
        end(trial);
        WorkspaceId main = new WorkspaceId(number("select workspace_id from workspace where slug = 'main'"));
        Caller member = new Caller.Person(new AccountId(1), "acc_x", "M", false, Map.of(main, Role.MEMBER));
        Caller stranger =
                new Caller.Person(new AccountId(2), "acc_y", "S", false, Map.of(new WorkspaceId(-1), Role.OWNER));
        for (Caller caller : List.of(ANYBODY, stranger)) {
            assertThat(isEmpty(trials.detail(trial.external(), caller))).isTrue();
            assertThat(isEmpty(trials.curve(trial.external(), 0, caller))).isTrue();
        }
        assertThat(await(trials.detail(trial.external(), member)).id()).isEqualTo(trial.external());
        String series = entry(open)
                .path("metrics")
                .path("response_p50_ms")
                .path("series")
                .asString();
        // Both runs are of one series, which is public; the private run's point is not.
        assertThat(await(histories.family(series, ANYBODY)).tracks().getFirst().points())
                .hasSize(1);
        assertThat(await(histories.family(series, member)).tracks().getFirst().points())
                .hasSize(2);
    }

    @Test
    void history_has_a_line_per_track_and_a_segment_per_server() {
        Bench bench = new Bench(database, "history");
        long newest = bench.jdk("history-25-9", 25, 9);
        long older = bench.jdk("history-25-8", 25, 8);
        Bench.Cell late = bench.cell(newest, "public");
        end(bench.measured(bench.planned(late, "scored", 1, 1), 103, "valid"));
        Bench.Cell early = bench.cell(older, "public");
        end(bench.measured(bench.planned(early, "scored", 1, 1), 101, "valid"));
        Bench.Cell other = bench.cell(bench.jdk("history-28-1", 28, 1), "public");
        end(bench.measured(bench.planned(other, "scored", 1, 1), 99, "valid"));
        execute("update point set server_digest = 'other' where cell_id = " + late.id());
        String series = entry(late)
                .path("metrics")
                .path("response_p50_ms")
                .path("series")
                .asString();
        SeriesFamily family = await(histories.family(series, ANYBODY));
        assertThat(family.metric()).isEqualTo("response_p50_ms");
        assertThat(family.tracks()).extracting(SeriesFamily.Track::feature).containsExactly(28, 25);
        List<SeriesFamily.Point> points = family.tracks().getLast().points();
        assertThat(points).extracting(SeriesFamily.Point::build).containsExactly("history-25-8", "history-25-9");
        assertThat(points).extracting(SeriesFamily.Point::segment).containsExactly(0, 1);
        assertThat(points.getLast().segmentReason()).contains("server");
        assertThat(points.getFirst().trials().getFirst()).startsWith("trl_");
        assertThat(isEmpty(histories.family("ser_abcdefghij2345672345", ANYBODY)))
                .isTrue();
    }

    @Test
    void page_queries_can_be_answered_by_indices() {
        for (String sql : List.of(
                TrialStore.HEAD,
                TrialStore.WINDOWS,
                TrialStore.SAMPLES,
                TrialStore.STEP,
                SeriesStore.FAMILY,
                SeriesStore.POINTS)) {
            String literal = sql.replaceAll("(?<!:):workspaces", "'{1}'::bigint[]")
                    .replaceAll("(?<!:):series::", "'{1,2}'::")
                    .replaceAll("(?<!:):series", "'ser_a'")
                    .replaceAll("t\\.external_id = :trial", "t.external_id = 'trl_a'")
                    .replaceAll("(?<!:):(trial|step)", "1");
            // In a test's small tables a scan is cheaper: forbidden, what has no index still shows as one.
            List<String> plan = await(transaction.transactional(database.sql("set local enable_seqscan = off")
                    .then()
                    .thenMany(database.sql("explain " + literal)
                            .map(row -> Objects.requireNonNull(row.get(0, String.class)))
                            .all())
                    .collectList()));
            assertThat(plan).isNotEmpty().noneMatch(line -> line.contains("Seq Scan"));
        }
    }

    // ---- what is there

    private void end(Bench.Trial trial) {
        complete(transaction.transactional(rollup.trialEnded(trial.id())));
    }

    private long points(Bench.Cell cell) {
        return number("select count(*) from point where cell_id = " + cell.id());
    }

    private JsonNode point(Bench.Cell cell, String metric) {
        return row(
                "select to_json(p)::text from point p join series s using (series_id) where p.cell_id = %d and s.metric = '%s'"
                        .formatted(cell.id(), metric));
    }

    private JsonNode entry(Bench.Cell cell) {
        return row("select to_json(e)::text from leaderboard_entry e where cell_id = " + cell.id());
    }

    private List<String> reasons(Bench.Cell cell) {
        return entry(cell).path("reasons").valueStream().map(JsonNode::asString).toList();
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

    private JsonNode row(String sql) {
        return json.readTree(await(database.sql(sql)
                .map(r -> Objects.requireNonNull(r.get(0, String.class)))
                .one()));
    }

    /** All numbers of a cell as text: every bit of a double is in it. */
    private String numbers(Bench.Cell cell) {
        return await(database.sql("""
                        select string_agg(concat_ws(' ', s.metric, s.external_id, p.mean, p.low, p.high, p.trial_values, p.trial_ids,
                                                    p.measured_at, p.reason), chr(10) order by s.metric)
                               || (select e.metrics::text || e.measured_at from leaderboard_entry e where e.cell_id = :cell)
                               || (select string_agg(st.percentiles::text, '' order by st.trial_id)
                                     from step st join trial t using (trial_id) where t.cell_id = :cell)
                          from point p join series s using (series_id) where p.cell_id = :cell
                        """)
                .bind("cell", cell.id())
                .map(row -> Objects.requireNonNull(row.get(0, String.class)))
                .one());
    }
}
