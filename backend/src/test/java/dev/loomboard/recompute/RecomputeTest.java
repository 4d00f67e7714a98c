package dev.loomboard.recompute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.loomboard.kit.Bench;
import dev.loomboard.kit.RollupTest;
import dev.loomboard.trial.PercentileCurve;
import dev.loomboard.trial.TrialDetail;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** From an ended trial to points and to its cell's entry. */
final class RecomputeTest extends RollupTest {

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
        assertThat(entry.path("standing").asString()).isEqualTo("few");
        assertThat(entry.path("metrics").path("cpu_cores").path("mean").asDouble())
                .isCloseTo(0.5, within(1e-9));
        assertThat(entry.path("metrics").path("response_p50_ms").path("series").asString())
                .startsWith("ser_");
        assertThat(entry.path("metrics").has("gc_count_per_min")).isFalse(); // not sampled: absent, not zero
    }

    /** A metric whose samples nobody reads would stay empty without a word. */
    @Test
    void what_is_sampled_of_the_jvm_becomes_metrics() {
        Bench bench = new Bench(database, "sampled");
        Bench.Cell cell = bench.cell(bench.jdk("sampled-25", 25, 1), "public");
        Bench.Trial trial = bench.measured(bench.planned(cell, "scored", 1, 1), 101, "valid");
        List.of(
                        "jvm.gc_count",
                        "jvm.gc_pause_s",
                        "jvm.safepoint_count",
                        "jvm.safepoint_stop_s",
                        "jvm.safepoint_ttsp_s",
                        "jvm.jit_time_s",
                        "jvm.threads_live")
                .forEach(metric -> execute("""
                        insert into sample_chunk (trial_id, metric, seq, at_ns, value)
                        select %d, '%s', 0, array_agg(i * 1000000000::int8 order by i), array_agg(i * 0.5::float8 order by i)
                          from generate_series(0, 25) i""".formatted(trial.id(), metric)));
        end(trial);
        JsonNode metrics = entry(cell).path("metrics");
        assertThat(metrics.path("gc_count_per_min").path("mean").asDouble()).isCloseTo(30, within(1e-9));
        assertThat(metrics.path("safepoints_per_min").path("mean").asDouble()).isCloseTo(30, within(1e-9));
        for (String time : List.of("gc_pause", "safepoint_stop", "safepoint_ttsp", "jit")) {
            assertThat(metrics.path(time + "_ms_per_s").path("mean").asDouble())
                    .as(time)
                    .isCloseTo(500, within(1e-9));
        }
        assertThat(metrics.path("threads_live").path("mean").asDouble()).isPositive();
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
        assertThat(entry(drifted).path("standing").asString()).isEqualTo("few");
        assertThat(reasons(drifted)).anyMatch(reason -> reason.startsWith("trial 1 drifted while measured"));
        assertThat(point(drifted, "time_to_steady_s").path("mean").asDouble()).isCloseTo(14, within(1e-9));
    }

    @Test
    void means_are_of_sound_trials_while_there_are_any() {
        Bench bench = new Bench(database, "sound");
        Bench.Cell cell = bench.cell(bench.jdk("sound-25", 25, 1), "public");
        end(bench.measured(bench.planned(cell, "scored", 1, 1), 101, "valid"));
        end(bench.measured(bench.planned(cell, "scored", 2, 1), 101, "suspect"));
        end(bench.measured(bench.planned(cell, "scored", 3, 1), 900, "invalid"));
        end(told(bench.measured(bench.planned(cell, "scored", 4, 1), 900, "valid"), """
                {"steady": {"criterion": "warm/1", "verdict": "no_steady_state", "warmupMs": null}}"""));
        JsonNode point = point(cell, "response_p50_ms");
        assertThat(point.path("trials").asInt()).isEqualTo(2);
        assertThat(point.path("mean").asDouble()).isCloseTo(101, within(0.1));
        assertThat(point.path("standing").asString()).isEqualTo("unranked");
        assertThat(entry(cell).path("trials").asInt()).as("all that were done").isEqualTo(4);
        Bench.Cell spoilt = bench.cell(bench.jdk("sound-26", 26, 1), "public");
        end(bench.measured(bench.planned(spoilt, "scored", 1, 1), 900, "invalid"));
        assertThat(point(spoilt, "response_p50_ms").path("mean").asDouble())
                .as("shown, never ranked")
                .isCloseTo(900, within(1.0));
    }

    @Test
    void closed_load_has_a_rate_and_service_time_and_no_response() {
        Bench bench = new Bench(database, "closed");
        Bench.Cell cell = bench.cell(
                bench.jdk("closed-25", 25, 1),
                "public",
                new Bench.Point("io@1?delayMs=100;closed:connections=30,seconds=12", 0, "{}"));
        Bench.Trial measured = bench.measured(bench.planned(cell, "scored", 1, 1), 101, "valid");
        end(bench.closed(cell, measured, 30, 290));
        JsonNode metrics = entry(cell).path("metrics");
        assertThat(metrics.propertyNames()).noneMatch(name -> name.startsWith("response_"));
        assertThat(metrics.path("throughput_per_s").path("mean").asDouble()).isEqualTo(290);
        assertThat(metrics.path("service_p50_ms").path("mean").asDouble()).isCloseTo(101, within(0.1));
        TrialDetail trial = await(trials.detail(measured.external(), ANYBODY));
        assertThat(trial.measured().steps().getFirst().rate()).isNull();
        assertThat(trial.measured().steps().getFirst().connections()).isEqualTo(30);
        PercentileCurve curve = await(trials.curve(measured.external(), 0, ANYBODY));
        assertThat(curve.hits()).isEqualTo(3600);
        assertThat(curve.points()).allMatch(p -> p.responseMs() == null && p.serviceMs() != null);
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

    @Test
    void trial_that_was_not_warm_is_provisional_and_named_and_so_is_one_that_nobody_judged() {
        Bench bench = new Bench(database, "warmth");
        Bench.Cell cold = bench.cell(bench.jdk("warmth-25", 25, 1), "public");
        end(bench.measured(bench.planned(cold, "scored", 1, 1), 101, "valid"));
        end(told(bench.measured(bench.planned(cold, "scored", 2, 1), 101, "valid"), """
                {"warmth": [{"step": 0, "criterion": "step/1", "hitsBefore": 600, "unmet": ["600 requests before it of 20000"]}]}"""));
        assertThat(reasons(cold)).contains("trial 2 was not warm (trial 2: 600 requests before it of 20000)");
        assertThat(point(cold, "response_p50_ms").path("eligible").asBoolean()).isFalse();
        assertThat(point(cold, "response_p99_ms").path("reason").asString()).doesNotContain("not warm:");
        assertThat(point(cold, "warm").path("mean").asDouble()).isEqualTo(0.5);
        Bench.Cell old = bench.cell(bench.jdk("warmth-21", 21, 1), "public");
        end(told(bench.measured(bench.planned(old, "scored", 1, 1), 101, "valid"), "{\"warmth\": null}"));
        assertThat(reasons(old)).contains("whether trial 1 was warm was not judged (an older agent)");
        assertThat(point(old, "response_p50_ms").path("eligible").asBoolean()).isTrue();
        Bench.Cell warm = bench.cell(bench.jdk("warmth-26", 26, 1), "public");
        end(bench.measured(bench.planned(warm, "scored", 1, 1), 101, "valid"));
        assertThat(reasons(warm)).noneMatch(reason -> reason.contains("warm"));
    }

    private Bench.Trial told(Bench.Trial trial, String facts) {
        execute("update trial set end_facts = end_facts || '" + facts + "'::jsonb where trial_id = " + trial.id());
        return trial;
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
