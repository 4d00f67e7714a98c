package dev.loomboard.changepoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.loomboard.history.ChangeView;
import dev.loomboard.history.ChangeViewStore;
import dev.loomboard.history.NoteStore;
import dev.loomboard.history.PointStore;
import dev.loomboard.history.SeriesStore;
import dev.loomboard.kernel.AccountId;
import dev.loomboard.kernel.Caller;
import dev.loomboard.kernel.Role;
import dev.loomboard.kernel.WorkspaceId;
import dev.loomboard.kit.Bench;
import dev.loomboard.kit.RollupTest;
import dev.loomboard.recompute.RollupCheck;
import dev.loomboard.recompute.RollupCheckService;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.r2dbc.connection.R2dbcTransactionManager;
import tools.jackson.databind.JsonNode;

/** From uploaded nights to change points. A night is a run of one cell with one trial; its median is what it is about. */
final class ChangePointStoreTest extends RollupTest {

    private static final String METRIC = "response_excess_p50_ms";
    private static final int BEFORE = 12;

    private final RollupCheckService checks =
            new RollupCheckService(database, rollup, new R2dbcTransactionManager(database.getConnectionFactory()));

    @Test
    void a_planted_step_is_a_suspect_of_the_build_it_came_with() {
        Nights nights = new Nights("step");
        nights.calm(BEFORE);
        assertThat(nights.changes()).isEmpty();
        nights.slow(4);
        JsonNode change = nights.only();
        assertThat(change.path("build").asString()).isEqualTo(nights.build(BEFORE));
        assertThat(change.path("good").asString()).isEqualTo(nights.build(BEFORE - 3));
        assertThat(change.path("before").asDouble()).isCloseTo(1.1, within(0.1));
        assertThat(change.path("after").asDouble()).isCloseTo(6.1, within(0.1));
        assertThat(change.path("p").asDouble()).isLessThan(0.001);
        assertThat(change.path("direction").asString()).isEqualTo("worse");
        assertThat(change.path("standing").asBoolean()).isTrue();
        assertThat(change.path("status").asString()).isEqualTo("suspect");
        assertThat(change.path("history_at").isNull()).isTrue();
    }

    @Test
    void runs_that_were_retracted_are_not_looked_at() {
        Nights nights = new Nights("taken-back");
        nights.calm(BEFORE);
        for (int night = 0; night < 4; night++) {
            nights.slow(1);
            execute("""
                    with a as (insert into account (external_id, email, display_name, password_hash)
                               values (new_external_id('acc'), 'taken-back-%1$d@example.org', 'Ada', 'none') returning account_id)
                    insert into retraction (kind, name, version, run_id, reason, retracted_by, retracted_at)
                    select 'run', r.title, r.external_id, r.run_id, 'wrong', a.account_id, now() from a, run r where r.run_id = %1$d
                    """.formatted(nights.run(BEFORE + night)));
        }
        assertThat(nights.changes())
                .as("each slow night is the first that counts")
                .extracting(change -> change.path("build").asString())
                .containsExactlyInAnyOrder(
                        nights.build(BEFORE),
                        nights.build(BEFORE + 1),
                        nights.build(BEFORE + 2),
                        nights.build(BEFORE + 3));
    }

    @Test
    void more_nights_keep_it_one_and_its_history_is_looked_at_at_the_twelfth_and_confirms_nothing() {
        Nights nights = new Nights("ripe");
        nights.calm(20);
        nights.slow(11);
        assertThat(nights.only().path("status").asString()).isEqualTo("suspect");
        nights.slow(1);
        JsonNode ripe = nights.only();
        assertThat(ripe.path("status").asString()).isEqualTo("suspect");
        assertThat(ripe.path("confirmed_by").isNull()).isTrue();
        assertThat(ripe.path("history_change").asDouble()).isCloseTo(4.5, within(0.3)); // 6.1 against 1.1
        assertThat(ripe.path("history_p").asDouble()).isLessThan(1e-4);
        assertThat(ripe.path("history_reason").isNull()).isTrue();
        nights.slow(2);
        JsonNode later = nights.only();
        assertThat(later.path("change_point_id")).isEqualTo(ripe.path("change_point_id"));
        assertThat(later.path("history_at")).as("looked at once").isEqualTo(ripe.path("history_at"));
    }

    @Test
    void a_look_that_does_not_confirm_leaves_a_suspect_visible() {
        Nights few = new Nights("few"); // 27 points: how far they repeat each other is not known
        few.calm(15);
        few.slow(12);
        assertThat(few.only().path("status").asString()).isEqualTo("suspect");
        assertThat(few.only().path("history_reason").asString()).contains("are autocorrelated");
    }

    @Test
    void a_decision_survives_nights_and_recomputation() {
        Nights nights = new Nights("decided");
        nights.calm(BEFORE);
        nights.slow(4);
        execute("update change_point set status = 'cleared', decided_at = now(), history_at = now() where series_id = "
                + nights.series());
        nights.slow(2);
        complete(transaction.transactional(rollup.recompute(nights.run(BEFORE))));
        assertThat(nights.only().path("status").asString()).isEqualTo("cleared");
    }

    @Test
    void what_people_and_a_rerun_said_survives_nights_and_recomputation() {
        Nights nights = new Nights("triaged");
        nights.calm(BEFORE);
        nights.slow(4);
        execute("""
                update change_point set status = 'confirmed', confirmed_by = 'rerun', decided_at = now(), triage = 'expected',
                       rerun_run_id = %d, rerun_reason = 'the rerun says slower' where series_id = %d
                """.formatted(nights.bench.newRun("public"), nights.series()));
        JsonNode before = nights.only();
        nights.slow(2);
        complete(transaction.transactional(rollup.recompute(nights.run(BEFORE))));
        JsonNode after = nights.only();
        for (String kept : List.of(
                "external_id", "status", "confirmed_by", "decided_at", "triage", "rerun_run_id", "rerun_reason")) {
            assertThat(after.path(kept)).as(kept).isEqualTo(before.path(kept));
        }
    }

    @Test
    void recomputing_makes_the_same_and_the_check_finds_what_differs() {
        Nights nights = new Nights("recomputed");
        nights.calm(BEFORE);
        nights.slow(5);
        execute("update run set state = 'done' where run_id = " + nights.run(BEFORE));
        JsonNode before = nights.only();
        complete(transaction.transactional(rollup.recompute(nights.run(BEFORE))));
        assertThat(nights.only()).isEqualTo(before);
        assertThat(differences()).isEmpty();
        execute("update change_point set q_hat = q_hat * (1 + 2.3e-16) where series_id = " + nights.series());
        assertThat(differences())
                .extracting(RollupCheck.Difference::kind)
                .containsExactly(RollupCheck.Kind.CHANGE_POINT, RollupCheck.Kind.CHANGE_POINT);
        execute("update run set state = 'running' where run_id = " + nights.run(BEFORE));
    }

    @Test
    void a_step_that_comes_with_another_host_or_server_is_nobodys_suspect() {
        for (String fact : List.of("fingerprint_hash", "server_digest")) {
            Nights nights = new Nights("other-" + fact.substring(0, 6));
            nights.calm(BEFORE);
            nights.fact = fact;
            nights.slow(6);
            assertThat(nights.changes()).as(fact).isEmpty();
        }
    }

    @Test
    void a_step_within_a_build_is_kept_apart_from_one_of_the_build() {
        Nights nights = new Nights("within");
        nights.sameBuild = true;
        nights.calm(BEFORE);
        nights.slow(5);
        JsonNode change = nights.only();
        assertThat(change.path("good")).isEqualTo(change.path("build"));
    }

    @Test
    void what_no_longer_stands_says_so() {
        Nights nights = new Nights("gone");
        nights.calm(BEFORE);
        nights.slow(4);
        execute("update point set mean = 1.1 where series_id = %d and mean > 3".formatted(nights.series()));
        nights.calm(1);
        assertThat(nights.only().path("standing").asBoolean()).isFalse();
        assertThat(nights.only().path("status").asString()).isEqualTo("suspect");
    }

    @Test
    void private_nights_count_in_a_private_series_only_and_reruns_never() {
        Nights mixed = new Nights("mixed");
        mixed.calm(BEFORE);
        mixed.visibility = "private";
        mixed.slow(6);
        assertThat(mixed.changes()).isEmpty();
        Nights hidden = new Nights("hidden");
        hidden.visibility = "private";
        hidden.calm(BEFORE);
        hidden.slow(6);
        assertThat(hidden.changes()).hasSize(1);
        Nights rerun = new Nights("rerun");
        rerun.calm(BEFORE);
        rerun.slow(4);
        execute("update run set follow_up = true where run_id = " + rerun.run(BEFORE + 3));
        assertThat(watched(rerun)).hasSize(BEFORE + 3);
    }

    @Test
    void a_long_series_is_read_by_its_end_and_by_indices() {
        Nights nights = new Nights("long");
        nights.calm(1);
        execute("""
                with r as (
                  insert into run (external_id, workspace_id, machine_id, matrix_id, title, visibility, spec, methodology, created_by)
                  select new_external_id('run'), workspace_id, machine_id, matrix_id, title, visibility, spec, methodology, created_by
                    from run, generate_series(1, 1234) where run_id = %1$d returning run_id
                ), c as (
                  insert into cell (external_id, workspace_id, run_id, ordinal, server, variant, concurrency_model, workload,
                                    workload_version, params, load, scenario_key, collector, jvm_options, jdk_build_id)
                  select new_external_id('cel'), c.workspace_id, r.run_id, 0, c.server, c.variant, c.concurrency_model, c.workload,
                         c.workload_version, c.params, c.load, c.scenario_key, c.collector, c.jvm_options, c.jdk_build_id
                    from cell c, r where c.run_id = %1$d returning cell_id, run_id
                )
                insert into point (workspace_id, series_id, run_id, cell_id, jdk_build_id, measured_at, trials, mean, trial_values,
                                   trial_ids, eligible, standing, server_digest, fingerprint_hash, agent_version)
                select p.workspace_id, p.series_id, c.run_id, c.cell_id, p.jdk_build_id,
                       p.measured_at - make_interval(days => 2000 - c.run_id::int), 1, 1 + c.run_id %% 7 * 0.01, '{1}',
                       p.trial_ids, true, 'provisional', p.server_digest, p.fingerprint_hash, p.agent_version
                  from point p, c where p.series_id = %2$d
                """.formatted(nights.run(0), nights.series()));
        assertThat(watched(nights)).as("of 1235").hasSize(735);
        execute("""
                with j as (
                  insert into jdk_build (slug, identity, vendor, runtime_version, feature, availability, architecture, build_order,
                                         lineage, lineage_hash)
                  select 'long-' || n, 'long-' || n, 'temurin', '25+' || n, 25, 'ga', 'amd64', array[25, n], '{}', 'long'
                    from generate_series(1, 1200) n returning jdk_build_id)
                insert into change_point (workspace_id, series_id, jdk_build_id, good_build_id, point_id, q_hat, p, before, after,
                                          direction, standing, status, confirmed_by, decided_at, methodology)
                select p.workspace_id, p.series_id, j.jdk_build_id, j.jdk_build_id, p.point_id, 1, 0, 1, 2, 'worse', true, 'confirmed',
                       'history', now(), '1'
                  from (select *, row_number() over () as nr from j) j
                  join (select *, row_number() over () as nr from point where series_id = %d) p using (nr)
                """.formatted(nights.series()));
        execute("analyze point");
        execute("analyze change_point");
        String sql = ChangePointStore.WATCHED
                .replace(":series", "'{" + nights.series() + "}'")
                .replace(":digest", "'digest'")
                .replace(":fingerprint", "'host'");
        assertThat(String.join("\n", plan(sql)))
                .contains("point_series_measured_ix")
                .doesNotContain("Seq Scan on point", "Seq Scan on run");
        String past = ChangePointStore.PAST.replace(":series", "" + nights.series());
        // By which index the few series of the tests' database are found is chance.
        assertThat(String.join("\n", plan(past)))
                .contains("point_series_measured_ix", "change_point_point_ix")
                .doesNotContain("Seq Scan on point", "Seq Scan on run");
    }

    @Test
    void a_change_is_seen_by_who_may_see_the_run_of_its_first_point() {
        Nights nights = new Nights("seen");
        nights.calm(BEFORE);
        nights.slow(4);
        nights.visibility = "private";
        nights.slow(1);
        String id = text("select external_id from series where series_id = " + nights.series());
        SeriesStore histories = new SeriesStore(
                database, json, new PointStore(database), new ChangeViewStore(database), new NoteStore(database));
        WorkspaceId main = new WorkspaceId(number("select workspace_id from workspace where slug = 'main'"));
        Caller member = new Caller.Person(new AccountId(1), "acc_x", "M", false, Map.of(main, Role.MEMBER));
        ChangeView shown = await(histories.family(id, ANYBODY, SeriesStore.Depth.TWIN))
                .tracks()
                .getFirst()
                .changes()
                .getFirst();
        assertThat(shown.build().slug()).isEqualTo(nights.build(BEFORE));
        assertThat(shown.state()).isEqualTo("suspect");
        assertThat(shown.cause().ofTheBuild()).isTrue();
        execute("update run set visibility = 'private' where run_id = " + nights.run(BEFORE));
        assertThat(await(histories.family(id, ANYBODY, SeriesStore.Depth.TWIN))
                        .tracks()
                        .getFirst()
                        .changes())
                .isEmpty();
        assertThat(await(histories.family(id, member, SeriesStore.Depth.TWIN))
                        .tracks()
                        .getFirst()
                        .changes())
                .hasSize(1);
    }

    private String text(String sql) {
        return await(database.sql(sql).map(r -> r.get(0, String.class)).one());
    }

    private List<ComparablePoints.Seen> watched(Nights nights) {
        return await(new ChangePointStore(database, json).watched(new Long[] {nights.series()}, "digest", "host"))
                .getFirst()
                .points();
    }

    private List<RollupCheck.Difference> differences() {
        return await(checks.all().collectList()).stream()
                .flatMap(check -> check.differences().stream())
                .toList();
    }

    /** One machine, a build a night. */
    private final class Nights {
        private final String name;
        private final Bench bench;
        private final List<Bench.Cell> cells = new ArrayList<>();
        private final List<String> builds = new ArrayList<>();
        private long jdk;
        boolean sameBuild;
        String visibility = "public";
        String fact = "";

        Nights(String name) {
            this.name = name;
            this.bench = new Bench(database, "nights-" + name);
        }

        void calm(int count) {
            more(count, 101);
        }

        void slow(int count) {
            more(count, 106);
        }

        private void more(int count, double millis) {
            for (int i = 0; i < count; i++) {
                if (builds.isEmpty() || !sameBuild) {
                    builds.add(name + "-" + builds.size());
                    jdk = bench.jdk(builds.getLast(), 28, builds.size());
                }
                Bench.Cell cell = bench.cell(jdk, visibility);
                cells.add(cell);
                Bench.Trial trial = bench.planned(cell, "scored", 1, 1);
                bench.measured(trial, millis + cells.size() % 2 * 0.2, "valid");
                if (!fact.isEmpty()) {
                    execute("update trial set " + fact + " = 'other' where trial_id = " + trial.id());
                }
                end(trial);
            }
        }

        String build(int index) {
            return builds.get(index);
        }

        long run(int index) {
            return cells.get(index).run();
        }

        long series() {
            return number(
                    "select series_id from series join point using (series_id) where cell_id = %d and metric = '%s'"
                            .formatted(cells.getFirst().id(), METRIC));
        }

        JsonNode only() {
            List<JsonNode> all = changes();
            assertThat(all).hasSize(1);
            return all.getFirst();
        }

        /** Of all metrics: the others stay as they are. */
        List<JsonNode> changes() {
            return row("""
                    select coalesce(jsonb_agg(to_jsonb(c) || jsonb_build_object('build', j.slug, 'good', g.slug)), '[]')::text
                      from change_point c join series s using (series_id)
                           join jdk_build j on j.jdk_build_id = c.jdk_build_id join jdk_build g on g.jdk_build_id = c.good_build_id
                     where s.machine_id = (select machine_id from run where run_id = %d)""".formatted(run(0))).valueStream().toList();
        }
    }
}
