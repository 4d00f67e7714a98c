package dev.loomboard.machine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.kernel.Secret;
import dev.loomboard.kit.Cast.Role;
import dev.loomboard.kit.RankedMachines;
import dev.loomboard.kit.TestMachine;
import dev.loomboard.kit.WebTest;
import java.net.URI;
import java.util.Objects;
import org.jsoup.nodes.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.http.MediaType;
import org.springframework.test.web.reactive.server.WebTestClient;
import org.springframework.web.reactive.function.BodyInserters;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Whose machines rank where everybody sees it. */
final class AdmissionTest extends WebTest {

    private static final String SCENARIO = "admission@1?;constant:rate=300,seconds=12";
    private static final String BOARD = "/leaderboard/admission-300rps-12s";

    private final RankedMachines machines = new RankedMachines(service);

    @Test
    void machine_that_was_not_admitted_stands_apart_until_an_administrator_admits_it() {
        machines.ranked("admitted-one", SCENARIO, 101);
        machines.ranked("admitted-two", SCENARIO, 110);
        execute(
                "update machine set admitted_at = null, workspace_id = (select workspace_id from workspace where slug = 'elsewhere')"
                        + " where slug = 'admitted-two'");
        execute(
                "update leaderboard_entry set workspace_id = (select workspace_id from workspace where slug = 'elsewhere')"
                        + " where machine_id = (select machine_id from machine where slug = 'admitted-two')");
        String path = "/w/elsewhere/machines/admitted-two";
        admission(administrator(), path, "no").expectStatus().isSeeOther();

        assertThat(machines.ranks(SCENARIO)).containsExactly("admitted-one 1–1 of 1");
        Document board = board();
        assertThat(board.select("tr.group").eachText())
                .anySatisfy(words -> assertThat(words)
                        .contains("Not verified: measured on machines that no administrator admitted")
                        .contains("not verified: no administrator admitted its machine to public ranks"));
        assertThat(board.select("tr.unverified th").text()).contains("measured by Bench of workspace elsewhere");
        assertThat(board.select("tr.ranked th .sub").text()).isEqualTo("measured by Bench");
        assertThat(board.select("tr.ranked th .sub a").eachAttr("href")).contains("/w/main/machines/admitted-one");
        assertThat(page(client, path).text()).contains("Its results are not verified");
        assertThat(page(client, path).select("form[action$=admission]")).isEmpty();
        assertThat(page(client, "/jdks/25/admitted-two-25").text()).contains("not verified");

        assertThat(page(administrator(), path)
                        .select("form[action$=admission] button")
                        .text())
                .isEqualTo("Admit to public ranks");
        admission(administrator(), path, "yes").expectStatus().isSeeOther();
        assertThat(machines.ranks(SCENARIO)).containsExactly("admitted-one 1–1 of 2", "admitted-two 2–2 of 2");
        Document after = board();
        assertThat(after.select("tr.unverified")).isEmpty();
        assertThat(after.select("tr.ranked th").text()).contains("measured by Bench of workspace elsewhere");
        assertThat(page(client, path).text()).doesNotContain("not verified");
    }

    @Test
    void only_administrators_admit_and_say_which() {
        machines.ranked("admitted-three", "another-admission@1?;constant:rate=300,seconds=12", 101);
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

    private Document board() {
        return document(client.get()
                .uri(URI.create(service.url() + BOARD))
                .exchange()
                .expectStatus()
                .isOk()
                .expectBody()
                .returnResult());
    }

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
        return browser(machines.administrator());
    }

    @AfterEach
    void dismissAdministrators() {
        machines.dismissAdministrators();
    }
}
