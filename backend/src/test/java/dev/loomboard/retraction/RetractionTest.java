package dev.loomboard.retraction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.loomboard.audit.AuditStore;
import dev.loomboard.cell.Standing;
import dev.loomboard.kernel.AccountId;
import dev.loomboard.kernel.Caller;
import dev.loomboard.kernel.Role;
import dev.loomboard.kernel.WorkspaceId;
import dev.loomboard.kit.Bench;
import dev.loomboard.kit.Rollups;
import dev.loomboard.kit.StoreTest;
import dev.loomboard.leaderboard.Entry;
import dev.loomboard.leaderboard.LeaderboardStore;
import dev.loomboard.recompute.RecomputeService;
import dev.loomboard.recompute.RollupCheck;
import dev.loomboard.recompute.RollupCheckService;
import dev.loomboard.retracted.Version;
import java.time.Clock;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.assertj.core.groups.Tuple;
import org.junit.jupiter.api.Test;
import org.springframework.r2dbc.connection.R2dbcTransactionManager;
import reactor.core.publisher.Mono;

/** What a retraction does to ranks, and that taking it back leaves no trace in them. */
final class RetractionTest extends StoreTest {

    private static final double[] NOISE = {0, 0.3, -0.2, 0.1, -0.3, 0.2, 0.05, -0.1, 0.15, -0.25};
    private static final String WHY = "it answered from a cache";

    private final RecomputeService rollup = Rollups.of(database, json);
    private final RetractionStore store = new RetractionStore(database);
    private final RetractionService service =
            new RetractionService(store, rollup, new AuditStore(database, json), transaction, Clock.systemUTC());
    private final Caller.Person admin = person("acc_admin", Map.of());

    private Caller.Person person(String name, Map<WorkspaceId, Role> roles) {
        long account = number("""
                with a as (insert into account (external_id, email, display_name, password_hash, administrator)
                           values (new_external_id('acc'), '%1$s@example.org', 'Ada', 'none', true)
                           on conflict do nothing returning account_id)
                select account_id from a""".formatted(name + roles.size() + System.identityHashCode(this)));
        return new Caller.Person(new AccountId(account), name, "Ada", true, roles);
    }

    /** Cells of one board, each of a build of the server of its own. */
    private final class Scene {
        final String name;
        final String scenario;
        final Bench bench;
        final long jdk;

        Scene(String name) {
            this.name = name;
            scenario = "io@1?kind=" + name + ";constant:rate=300,seconds=12";
            bench = new Bench(database, name);
            bench.qualify();
            jdk = bench.jdk(name + "-25", 25, 1);
        }

        String digest(String which) {
            return name + "-" + which;
        }

        Version version(String which) {
            return new Version(Version.Kind.SERVER, "spring-mvc", digest(which));
        }

        Bench.Cell measured(String which, String visibility, double millis) {
            Bench.Cell cell = bench.cell(jdk, visibility, new Bench.Point(scenario, 0, "{-D" + which + "}"));
            for (int i = 0; i < NOISE.length; i++) {
                bench.measured(bench.planned(cell, "scored", i + 1, 1), millis + NOISE[i], "valid");
            }
            execute("update trial set server_digest = '%s' where cell_id = %d".formatted(digest(which), cell.id()));
            execute("update run set state = 'done', finished_at = now() where run_id = " + cell.run());
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

        Bench.Cell cell(String which, double millis) {
            Bench.Cell cell = measured(which, "public", millis);
            complete(end(cell));
            return cell;
        }

        /** As a page is given them: which, standing, best, worst and number of entries. */
        List<Tuple> shown() {
            return entries(scenario).stream().map(Scene::shown).toList();
        }

        private static Tuple shown(Entry e) {
            var rank = e.rating().rank();
            return tuple(
                    e.settings().jvmOptions().getFirst().substring(2),
                    e.standing().wire(),
                    rank == null ? null : rank.best(),
                    rank == null ? null : rank.worst(),
                    rank == null ? null : rank.of());
        }

        /** Differences of this scene's runs, and of no other. */
        List<RollupCheck> wrong() {
            return await(new RollupCheckService(
                                    database, rollup, new R2dbcTransactionManager(database.getConnectionFactory()))
                            .all()
                            .collectList())
                    .stream()
                    .filter(check -> !check.same())
                    .toList();
        }
    }

    private RetractionResult retract(Version version) {
        return await(service.retract(version, WHY, admin));
    }

    private String id(Version version) {
        return await(store.all(admin, 100).collectList()).stream()
                .filter(r -> r.version().equals(version.version()) && r.stands())
                .map(Retraction::id)
                .findFirst()
                .orElseThrow();
    }

    @Test
    void retracted_entry_is_listed_apart_and_the_others_close_up_until_it_is_withdrawn() {
        Scene scene = new Scene("closing");
        scene.cell("a", 101);
        scene.cell("b", 110);
        scene.cell("c", 120);
        List<Tuple> before = scene.shown();
        assertThat(before)
                .containsExactly(
                        tuple("a", "ranked", 1, 1, 3), tuple("b", "ranked", 2, 2, 3), tuple("c", "ranked", 3, 3, 3));

        assertThat(retract(scene.version("b"))).isEqualTo(RetractionResult.DONE);
        assertThat(scene.shown())
                .containsExactly(
                        tuple("a", "ranked", 1, 1, 2),
                        tuple("b", "retracted", null, null, null),
                        tuple("c", "ranked", 2, 2, 2));
        Entry b = entries(scene.scenario).get(1);
        assertThat(b.readings()).as("nothing is deleted").isNotEmpty();
        assertThat(Objects.requireNonNull(b.reason()))
                .startsWith("retracted: " + WHY)
                .contains("Ada");
        assertThat(scene.wrong()).isEmpty();

        assertThat(await(service.withdraw(id(scene.version("b")), "the cache was off", admin)))
                .isEqualTo(RetractionResult.DONE);
        assertThat(scene.shown()).isEqualTo(before);
        assertThat(scene.wrong()).isEmpty();
        assertThat(number(
                        "select count(*) from audit_event where action = 'retraction.retract' and detail ->> 'version' = '%s'"
                                .formatted(scene.digest("b"))))
                .isEqualTo(1);
        assertThat(
                        number(
                                "select count(*) from audit_event where action = 'retraction.withdraw' and detail ->> 'reason' = 'the cache was off'"))
                .isEqualTo(1);
    }

    @Test
    void what_is_measured_while_its_version_is_retracted_does_not_rank_before_that_is_withdrawn() {
        Scene scene = new Scene("meanwhile");
        scene.cell("a", 110);
        Bench.Cell late = scene.measured("b", "public", 101);
        complete(scene.end(late));
        assertThat(retract(scene.version("b"))).isEqualTo(RetractionResult.DONE);
        Bench.Cell again = scene.measured("b", "public", 101);
        complete(scene.end(again));
        assertThat(scene.shown())
                .containsExactly(tuple("a", "ranked", 1, 1, 1), tuple("b", "retracted", null, null, null));
        assertThat(scene.wrong()).isEmpty();
        await(service.withdraw(id(scene.version("b")), "it was right", admin));
        assertThat(scene.shown()).containsExactly(tuple("a", "ranked", 2, 2, 2), tuple("b", "ranked", 1, 1, 2));
        assertThat(scene.wrong()).isEmpty();
    }

    /** Whichever comes first, the other must see it: else an entry would keep the rank that it was just given. */
    @Test
    void cell_that_finishes_while_its_version_is_retracted_has_no_rank() {
        Scene scene = new Scene("both");
        scene.cell("a", 110);
        scene.cell("b", 120);
        for (int round = 0; round < 5; round++) {
            Bench.Cell again = scene.measured("b", "public", 101);
            complete(Mono.when(scene.end(again), service.retract(scene.version("b"), WHY, admin)));
            assertThat(number("""
                    select count(*) from leaderboard_rank join leaderboard_entry e using (leaderboard_entry_id)
                     where e.scenario_key = '%s'""".formatted(scene.scenario))).isEqualTo(1);
            await(service.withdraw(id(scene.version("b")), "for the next round", admin));
        }
    }

    @Test
    void version_of_a_workload_takes_all_servers_that_ran_it_and_no_other_version() {
        Scene scene = new Scene("workloads");
        Bench.Cell first = scene.cell("a", 110);
        String other = scene.scenario.replace("io@1", "io@7");
        execute("update cell set scenario_key = '%s', workload = 'io-%s' where cell_id = %d"
                .formatted(other, scene.name, first.id()));
        complete(scene.end(first));
        Version seven = new Version(Version.Kind.WORKLOAD, "io-" + scene.name, "7");
        assertThat(retract(new Version(Version.Kind.WORKLOAD, seven.name(), "1")))
                .isEqualTo(RetractionResult.UNKNOWN);
        assertThat(retract(seven)).isEqualTo(RetractionResult.DONE);
        assertThat(entries(other)).extracting(Entry::standing).containsExactly(Standing.RETRACTED);
        assertThat(entries(scene.scenario)).extracting(Entry::standing).containsExactly(Standing.RANKED);
        await(service.withdraw(id(seven), "for the other tests", admin));
    }

    @Test
    void what_nobody_measured_or_the_caller_may_not_see_is_unknown_and_nothing_is_done_twice() {
        Scene scene = new Scene("unknown");
        complete(scene.end(scene.measured("secret", "private", 101)));
        scene.cell("open", 110);
        assertThat(retract(scene.version("none"))).isEqualTo(RetractionResult.UNKNOWN);
        assertThat(retract(new Version(Version.Kind.SERVER, "quarkus", scene.digest("open"))))
                .isEqualTo(RetractionResult.UNKNOWN);
        assertThat(retract(scene.version("secret"))).isEqualTo(RetractionResult.UNKNOWN);
        long workspace = number("select workspace_id from workspace where slug = 'main'");
        Caller.Person member = person("acc_member", Map.of(new WorkspaceId(workspace), Role.MEMBER));
        assertThat(await(service.retract(scene.version("secret"), WHY, member))).isEqualTo(RetractionResult.DONE);

        assertThat(retract(scene.version("open"))).isEqualTo(RetractionResult.DONE);
        assertThat(retract(scene.version("open"))).isEqualTo(RetractionResult.TWICE);
        String id = id(scene.version("open"));
        assertThat(await(service.withdraw(id, "a mistake", admin))).isEqualTo(RetractionResult.DONE);
        assertThat(await(service.withdraw(id, "a mistake", admin))).isEqualTo(RetractionResult.TWICE);
        assertThat(await(service.withdraw("ret_aaaaaaaaaaaaaaaaaaaa", "a mistake", admin)))
                .isEqualTo(RetractionResult.UNKNOWN);
        assertThat(retract(scene.version("open")))
                .as("what was withdrawn may be retracted again")
                .isEqualTo(RetractionResult.DONE);
        assertThat(await(store.all(admin, 100).collectList()))
                .filteredOn(r -> r.version().equals(scene.digest("open")))
                .extracting(Retraction::stands)
                .containsExactly(true, false);
        await(service.withdraw(id(scene.version("open")), "for the other tests", admin));
    }

    @Test
    void result_finds_its_retraction_by_index() {
        assertThat(String.join(
                        "\n",
                        plan("""
                        select e.server, ret.retracted from leaderboard_entry e
                        """
                                + dev.loomboard.retracted.RetractedSql.join(
                                        new dev.loomboard.retracted.RetractedSql.Result(
                                                "e.server",
                                                "e.server_digest",
                                                "e.workload",
                                                "e.scenario_key",
                                                "e.machine_id",
                                                "e.run_id"))
                                + " where e.scenario_key = 'x'")))
                .contains("retraction_standing_uq")
                .doesNotContain("Seq Scan");
    }

    /** Of a scenario, by variant. */
    private List<Entry> entries(String scenario) {
        List<Long> ids =
                await(database.sql("select leaderboard_entry_id from leaderboard_entry where scenario_key = :scenario")
                        .bind("scenario", scenario)
                        .map(row -> Objects.requireNonNull(row.get(0, Long.class)))
                        .all()
                        .collectList());
        return await(new LeaderboardStore(database, json).entries(new Caller.Anonymous(), ids, List.of()))
                .values()
                .stream()
                .sorted(Comparator.comparing(e -> e.server().variant()))
                .toList();
    }
}
