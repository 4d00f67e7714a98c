package dev.loomboard.machine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.kernel.Secret;
import dev.loomboard.kit.Bench;
import dev.loomboard.kit.Cast.Role;
import dev.loomboard.kit.TestMachine;
import dev.loomboard.kit.WebTest;
import dev.loomboard.recompute.RecomputeService;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jsoup.nodes.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.http.MediaType;
import org.springframework.test.web.reactive.server.WebTestClient;
import org.springframework.transaction.reactive.TransactionalOperator;
import org.springframework.web.reactive.function.BodyInserters;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Whose machines rank where everybody sees it. */
final class AdmissionTest extends WebTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final String SCENARIO = "admission@1?;constant:rate=300,seconds=12";
    private static final String BOARD = "/leaderboard?scenario=admission%401%3F%3Bconstant%3Arate%3D300%2Cseconds%3D12";
    private static final String ADMINISTRATORS = "@admission.example.org";

    @Test
    void machine_that_was_not_admitted_stands_apart_until_an_administrator_admits_it() {
        ranked("admitted-one", SCENARIO, 101);
        ranked("admitted-two", SCENARIO, 110);
        execute("update machine set admitted_at = null, workspace_id = (select workspace_id from workspace where slug = 'elsewhere')"
                + " where slug = 'admitted-two'");
        execute("update leaderboard_entry set workspace_id = (select workspace_id from workspace where slug = 'elsewhere')"
                + " where machine_id = (select machine_id from machine where slug = 'admitted-two')");
        String path = "/w/elsewhere/machines/admitted-two";
        admission(administrator(), path, "no").expectStatus().isSeeOther();

        assertThat(ranks()).containsExactly("admitted-one 1–1 of 1");
        Document board = page(client, BOARD);
        assertThat(board.select("tr.group").eachText())
                .anySatisfy(words -> assertThat(words)
                        .contains("Not verified: the word of machines that no administrator admitted")
                        .contains("not verified: no administrator admitted its machine to the public ranks"));
        assertThat(board.select("tr.unverified th").text())
                .contains("measured by Bench of workspace elsewhere");
        assertThat(board.select("tr.ranked th").text()).doesNotContain("measured by");
        assertThat(page(client, path).text()).contains("What it measures is not verified");
        assertThat(page(client, path).select("form[action$=admission]")).isEmpty();
        assertThat(page(client, "/jdks/25/admitted-two-25").text()).contains("not verified");

        assertThat(page(administrator(), path).select("form[action$=admission] button")
                        .text())
                .isEqualTo("Admit to public ranks");
        admission(administrator(), path, "yes").expectStatus().isSeeOther();
        assertThat(ranks()).containsExactly("admitted-one 1–1 of 2", "admitted-two 2–2 of 2");
        Document after = page(client, BOARD);
        assertThat(after.select("tr.unverified")).isEmpty();
        assertThat(after.select("tr.ranked th").text()).contains("measured by Bench of workspace elsewhere");
        assertThat(page(client, path).text()).doesNotContain("not verified");
    }

    @Test
    void only_administrators_admit_and_say_which() {
        ranked("admitted-three", "another-admission@1?;constant:rate=300,seconds=12", 101);
        String path = "/w/main/machines/admitted-three";
        admission(as(Role.OWNER), path, "no").expectStatus().isForbidden();
        admission(as(Role.STRANGER), path, "no").expectStatus().isForbidden();
        admission(administrator(), path, "perhaps").expectStatus().isEqualTo(422);
        assertThat(admitted("admitted-three")).isTrue();
        assertThat(await(database.sql("select count(*) from audit_event where action = 'machine.admission'"
                                + " and subject = (select external_id from machine where slug = 'admitted-three')")
                        .map(row -> Objects.requireNonNull(row.get(0, Long.class)))
                        .one()))
                .isZero();
    }

    @Test
    void machines_of_the_own_workspace_are_admitted_at_registration_and_others_are_not() {
        assertThat(admitted(registered("main"))).isTrue();
        assertThat(admitted(registered("elsewhere"))).isFalse();
    }

    // ---- who and what

    private String registered(String workspace) {
        Secret token = Secret.random("lbr");
        complete(database.sql("""
                        insert into registration_token (external_id, workspace_id, token_hash, last4, machine_slug, machine_name,
                                                        visibility, created_by, expires_at)
                        select new_external_id('reg'), workspace_id, :hash, 'xxxx', 'guest', 'Guest', 'public', 'test',
                               now() + interval '1 hour'
                          from workspace where slug = :workspace
                        """)
                .bind("hash", token.hash())
                .bind("workspace", workspace)
                .then());
        ObjectNode request = JsonMapper.shared().createObjectNode();
        request.put("token", token.value()).set("inventory", TestMachine.inventory());
        client.post()
                .uri("/api/agent/v1/register")
                .contentType(MediaType.APPLICATION_JSON)
                .bodyValue(request)
                .exchange()
                .expectStatus()
                .isCreated();
        return await(database.sql("select m.slug from machine m join registration_token t using (machine_id)"
                        + " where t.token_hash = :hash")
                .bind("hash", token.hash())
                .map(row -> Objects.requireNonNull(row.get(0, String.class)))
                .one());
    }

    private boolean admitted(String slug) {
        return await(database.sql("select admitted_at is not null from machine where slug = :slug"
                                + " order by machine_id desc limit 1")
                .bind("slug", slug)
                .map(row -> Boolean.TRUE.equals(row.get(0, Boolean.class)))
                .one());
    }

    private static WebTestClient.ResponseSpec admission(WebTestClient as, String path, String admitted) {
        return as.post()
                .uri(path + "/admission")
                .body(BodyInserters.fromFormData("admitted", admitted))
                .exchange();
    }

    private WebTestClient administrator() {
        Secret session = Secret.random("lbs");
        complete(database.sql("""
                        with a as (insert into account (external_id, email, display_name, password_hash, administrator)
                                   values (new_external_id('acc'), :email, 'Ada Lovelace', 'none', true) returning account_id)
                        insert into session (token_hash, account_id, expires_at)
                        select :hash, account_id, now() + interval '1 hour' from a
                        """)
                .bind("email", session.value().substring(4, 20) + ADMINISTRATORS)
                .bind("hash", session.hash())
                .then());
        return browser(session);
    }

    /** Of the shared service another test is to make the first. */
    @AfterEach
    void dismissAdministrators() {
        execute("update account set administrator = false where email like '%" + ADMINISTRATORS + "'");
    }

    private void ranked(String machine, String scenario, double millis) {
        Bench bench = new Bench(database, machine);
        bench.qualify();
        Bench.Cell cell = bench.cell(bench.jdk(machine + "-25", 25, 1), "public", new Bench.Point(scenario, 0, "{}"));
        List<Long> trials = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            Bench.Trial trial = bench.planned(cell, "scored", i + 1, 1);
            trials.add(bench.measured(trial, millis + i * 0.01, "valid").id());
        }
        service.bean(RecomputeService.class)
                .trialsEnded(trials)
                .as(service.bean(TransactionalOperator.class)::transactional)
                .block(TIMEOUT);
    }

    private List<String> ranks() {
        return Objects.requireNonNull(database.sql("""
                        select m.slug || ' ' || r.best || '–' || r.worst || ' of ' || r.entries
                          from leaderboard_rank r join leaderboard_entry e using (leaderboard_entry_id) join machine m using (machine_id)
                         where e.scenario_key = :scenario and m.slug in ('admitted-one', 'admitted-two') order by 1
                        """)
                .bind("scenario", SCENARIO)
                .map(row -> Objects.requireNonNull(row.get(0, String.class)))
                .all()
                .collectList()
                .block(TIMEOUT));
    }
}
