package dev.loomboard.trial;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.loomboard.artefact.Diagnostics;
import dev.loomboard.history.ChangeViewStore;
import dev.loomboard.history.NoteStore;
import dev.loomboard.history.PointStore;
import dev.loomboard.history.SeriesFamily;
import dev.loomboard.history.SeriesStore;
import dev.loomboard.kernel.AccountId;
import dev.loomboard.kernel.Caller;
import dev.loomboard.kernel.Role;
import dev.loomboard.kernel.VisibleSql;
import dev.loomboard.kernel.WorkspaceId;
import dev.loomboard.kit.Bench;
import dev.loomboard.kit.RollupTest;
import dev.loomboard.measurement.Phase;
import dev.loomboard.rollup.StepPercentiles;
import dev.loomboard.web.PageContext;
import dev.loomboard.web.PageRenderer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** What the pages of a trial and of a history read, and who may. */
final class ResultPagesTest extends RollupTest {

    private final SeriesStore histories = new SeriesStore(
            database, json, new PointStore(database), new ChangeViewStore(database), new NoteStore(database));

    @Test
    void trial_page_has_all_that_was_stored() {
        Bench bench = new Bench(database, "page");
        Bench.Cell cell = bench.cell(bench.jdk("page-25", 25, 1), "public");
        Bench.Trial trial = bench.measured(bench.planned(cell, "scored", 1, 1), 101, "valid");
        end(trial);
        TrialDetail page = await(trials.detail(trial.external(), ANYBODY));
        assertThat(page.setup().jdk().slug()).isEqualTo("page-25");
        assertThat(page.setup().settings().protocol()).isEqualTo("quick/1");
        assertThat(page.measured().phases())
                .extracting(TrialDetail.PhaseEntry::phase)
                .containsExactly(Phase.START, Phase.MEASURE);
        assertThat(page.measured().windows()).hasSize(12);
        assertThat(page.measured().windows().getFirst().responseP50Ms()).isEqualTo(101);
        assertThat(page.measured().windows().getFirst().serviceP99Ms()).isNull();
        StepPercentiles.Value p50 = Objects.requireNonNull(
                page.measured().steps().getFirst().percentiles().response().get("p50"));
        assertThat(p50.nanos()).isBetween(100_900_000L, 101_100_000L);
        assertThat(page.measured().steps().getFirst().percentiles().response())
                .containsKeys("p50", "p90", "p95", "p99", "p999");
        SampleSeries cpu = page.measured().samples().getFirst();
        assertThat(cpu.metric()).isEqualTo("proc.cpu_user_s");
        assertThat(cpu.values()).hasSize(26).contains(0.25).startsWith((Double) null);
        SampleSeries rss = page.measured().samples().getLast();
        assertThat(rss.values().get(12)).isNull();
        assertThat(page.measured().metrics()).containsKeys("response_p50_ms", "startup_ms");
        assertThat(page.facts().startFacts().read().heapMiB()).isEqualTo(512);
        PercentileCurve curve = await(trials.curve(trial.external(), 0, ANYBODY));
        assertThat(curve.hits()).isEqualTo(3600);
        assertThat(curve.points().getFirst().responseMs()).isCloseTo(101, within(0.1));
        assertThat(isEmpty(trials.curve(trial.external(), 1, ANYBODY))).isTrue();
    }

    @Test
    void trial_page_says_that_samples_were_removed_and_shows_what_is_left() {
        Bench bench = new Bench(database, "aged");
        Bench.Cell cell = bench.cell(bench.jdk("aged-25", 25, 1), "public");
        Bench.Trial trial = bench.measured(bench.planned(cell, "scored", 1, 1), 101, "valid");
        end(trial);
        assertThat(html(trial)).contains("data-chart=\"cpu\"").doesNotContain("Raw samples were removed");
        execute("delete from sample_chunk where trial_id = " + trial.id());
        execute("update trial set finished_at = '2026-08-01T12:00:00Z', samples_removed_at = '2026-10-31T03:40:00Z'"
                + " where trial_id = " + trial.id());
        assertThat(html(trial))
                .contains(
                        "Raw samples were removed on 2026-10-31 03:40 UTC, after 90 days; figures and histograms stay.",
                        "data-chart=\"latency\"",
                        "rss")
                .doesNotContain("data-chart=\"cpu\"", "data-chart=\"heap\"");
    }

    @Test
    void trial_page_shows_the_database_that_the_agent_started_and_what_it_used() {
        Bench bench = new Bench(database, "asks");
        Bench.Cell cell = bench.cell(bench.jdk("asks-25", 25, 1), "public");
        Bench.Trial trial = bench.measured(bench.planned(cell, "scored", 1, 1), 101, "valid");
        end(trial);
        assertThat(html(trial)).doesNotContain("<h2>Database</h2>", "data-chart=\"database-cpu\"");
        execute(
                "update trial set start_facts = start_facts || '{\"database\": {\"version\": \"18.1 (Debian)\", \"digest\": \""
                        + "a".repeat(64)
                        + "\", \"seed\": \"" + "b".repeat(64)
                        + "\", \"cpus\": \"0-1\"}}', end_facts = end_facts || '{\"noise\":"
                        + " {\"host.steal_s\": 0.5, \"database.cpu_s\": 2.5, \"database.memory_bytes.max\": 67108864}}' where trial_id = "
                        + trial.id());
        execute(
                "insert into sample_chunk (trial_id, metric, seq, at_ns, value) select trial_id, 'database.cpu_s', seq, at_ns, value"
                        + " from sample_chunk where metric = 'proc.cpu_user_s' and trial_id = " + trial.id());
        assertThat(html(trial))
                .contains(
                        "<h2>Database</h2>",
                        "PostgreSQL 18.1 (Debian)",
                        "by the file bbbbbbbbbbbb<",
                        "<dt>CPUs</dt><dd>0-1</dd>",
                        "2.50 s",
                        "64.0 MiB",
                        "Stolen CPU time",
                        "data-chart=\"database-cpu\"")
                .doesNotContain("CPU time of the database", "Memory of the database, highest");
        execute("update trial set start_facts = start_facts #- '{database,seed}' #- '{database,cpus}',"
                + " end_facts = end_facts || '{\"noise\": {\"database.cpu_s\": null}}' where trial_id = " + trial.id());
        assertThat(html(trial))
                .contains("it began empty", "<dt>CPU time</dt><dd>not measured</dd>", "<dd>not measured</dd>")
                .doesNotContain("<dd>0 s</dd>");
    }

    private String html(Bench.Trial trial) {
        TrialDetail detail = await(trials.detail(trial.external(), ANYBODY));
        var page = new TrialPage(detail, null, List.of(), TrialCharts.of(detail, null), Diagnostics.NONE);
        var shell = new PageContext(ANYBODY, "/", "", false, () -> "token");
        return new String(
                Objects.requireNonNull(new PageRenderer().show(shell, page).getBody()), StandardCharsets.UTF_8);
    }

    @Test
    void planned_trial_has_a_page_with_nothing_measured() {
        Bench bench = new Bench(database, "planned");
        Bench.Trial trial = bench.planned(bench.cell(bench.jdk("planned-25", 25, 1), "public"), "scored", 1, 1);
        TrialDetail page = await(trials.detail(trial.external(), ANYBODY));
        assertThat(page.measured().metrics()).isEmpty();
        assertThat(page.measured().steps()).isEmpty();
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
        assertThat(await(histories.family(series, ANYBODY, SeriesStore.Depth.TWIN))
                        .tracks()
                        .getFirst()
                        .points())
                .hasSize(1);
        assertThat(await(histories.family(series, member, SeriesStore.Depth.TWIN))
                        .tracks()
                        .getFirst()
                        .points())
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
        SeriesFamily family = await(histories.family(series, ANYBODY, SeriesStore.Depth.TWIN));
        assertThat(family.metric()).isEqualTo("response_p50_ms");
        assertThat(family.tracks()).extracting(SeriesFamily.Track::feature).containsExactly(28, 25);
        List<SeriesFamily.Point> points = family.tracks().getLast().points();
        assertThat(points).extracting(SeriesFamily.Point::build).containsExactly("history-25-8", "history-25-9");
        assertThat(points).extracting(p -> p.segment().segment()).containsExactly(0, 1);
        assertThat(points.getLast().segment().segmentReason()).contains("server");
        assertThat(points.getFirst().trials().trials().getFirst()).startsWith("trl_");
        assertThat(isEmpty(histories.family("ser_abcdefghij2345672345", ANYBODY, SeriesStore.Depth.TWIN)))
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
                PointStore.COURSE,
                PointStore.POINTS,
                ChangeViewStore.CHANGES,
                NoteStore.NOTES)) {
            String literal = VisibleSql.text(sql)
                    .replaceAll("(?<!:):mine", "'{1}'::bigint[]")
                    .replaceAll("(?<!:):(most|valued|named)", "50")
                    .replaceAll("(?<!:):metrics", "'{rss_mib}'")
                    .replaceAll("(?<!:):series::", "'{1,2}'::")
                    .replaceAll("(?<!:):series", "'ser_a'")
                    .replaceAll("t\\.external_id = :trial", "t.external_id = 'trl_a'")
                    .replaceAll("(?<!:):(trial|step)", "1");
            assertThat(plan(literal)).isNotEmpty().noneMatch(line -> line.contains("Seq Scan"));
        }
    }
}
