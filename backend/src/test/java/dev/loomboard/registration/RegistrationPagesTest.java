package dev.loomboard.registration;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.kernel.Secret;
import dev.loomboard.kit.Cast.Role;
import dev.loomboard.kit.TestMachine;
import dev.loomboard.kit.WebTest;
import java.time.Duration;
import java.util.Map;
import org.jsoup.nodes.Document;
import org.junit.jupiter.api.Test;
import org.springframework.test.web.reactive.server.WebTestClient;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** A machine's way from a form to a page, as a browser without scripts and an agent go it. */
final class RegistrationPagesTest extends WebTest {

    private static final Duration TIMEOUT = Duration.ofMinutes(2);

    @Test
    void a_person_registers_a_machine_with_one_pasted_line() {
        WebTestClient owner = as(Role.OWNER);
        Document made = document(form(owner, "/machines/new", Map.of("name", "Büro Bench!", "visibility", "public"))
                .expectStatus()
                .isOk()
                .expectHeader()
                .cacheControl(org.springframework.http.CacheControl.noStore())
                .expectBody()
                .returnResult());
        String line = made.select(".code code").text();
        assertThat(line).matches("loomboard-agent register --url http://localhost:\\d+ --token lbr_[a-z2-7]{52}");
        String waiting = made.select("#waiting a").attr("href");
        assertThat(page(owner, waiting).text())
                .contains("Waiting for Büro Bench!")
                .doesNotContain("lbr_");
        as(Role.STRANGER).get().uri(waiting).exchange().expectStatus().isNotFound();

        JsonNode registered = register(line.substring(line.indexOf("lbr_")));
        assertThat(registered.get("machine").asString()).startsWith("b-ro-bench");
        Document registeredOnly = fragment(waiting);
        assertThat(registeredOnly.text()).contains("Waiting for its agent to be started");
        assertThat(registeredOnly.select("[hx-trigger]")).as("it asks on").isNotEmpty();

        Document shown = page(client, registered.get("pageUrl").asString());
        assertThat(shown.text())
                .contains(
                        "Büro Bench!",
                        "not started yet",
                        "provisional",
                        "temurin-25.0.3_9-amd64",
                        "17.0.15+6",
                        "not built",
                        "did not pass its A/A qualification",
                        "it cannot show differences below 63 %",
                        "cpu.cores");
        assertThat(shown.select("#attempts tbody tr"))
                .as("all attempts, the newest first")
                .hasSize(2)
                .last()
                .satisfies(row -> assertThat(row.text())
                        .contains("it was cut short", "3 trials are not enough", "one cell for all resource classes"));
        assertThat(shown.select("#qualification tbody tr").eachText())
                .as("the spread of each metric in each class of resources, with its interval")
                .hasSize(7)
                .allMatch(row -> row.matches("(cpu|memory|network) .* \\S+ to \\S+ .*"));
        assertThat(shown.select("form[action$=revoke]"))
                .as("a visitor changes nothing")
                .isEmpty();
        assertThat(page(owner, registered.get("pageUrl").asString()).select("form[action$=revoke]"))
                .hasSize(1);
        assertThat(page(client, "/machines").text()).contains("Büro Bench!");

        claim(registered.get("agentKey").asString());
        Document there = fragment(waiting);
        assertThat(there.select("html > head > title").text()).as("a fragment").isEmpty();
        assertThat(there.select("[hx-trigger]")).as("it asks no more").isEmpty();
        assertThat(there.select("#waiting a").attr("href"))
                .isEqualTo(registered.get("pageUrl").asString());
    }

    @Test
    void a_refused_form_says_why_beside_the_field_and_loses_nothing() {
        Document refused =
                document(form(as(Role.OWNER), "/machines/new", Map.of("name", "---", "visibility", "private"))
                        .expectStatus()
                        .isEqualTo(422)
                        .expectBody()
                        .returnResult());
        assertThat(refused.select("#name").attr("value")).isEqualTo("---");
        assertThat(refused.select("#name").attr("aria-describedby")).isEqualTo("name-problem");
        assertThat(refused.select("#name-problem").text()).contains("at least one of them a letter");
        assertThat(refused.select("#visibility option[selected]").attr("value")).isEqualTo("private");
    }

    @Test
    void a_token_works_once_and_an_unknown_one_never() {
        TestMachine first = TestMachine.registered(as(Role.TOKEN), client, "public");
        assertThat(first.key()).matches("lba_[a-z2-7]{52}");
        String line = document(form(as(Role.OWNER), "/machines/new", Map.of("name", "once", "visibility", "public"))
                        .expectBody()
                        .returnResult())
                .select(".code code")
                .text();
        String token = line.substring(line.indexOf("lbr_"));
        register(token);
        attempt(token, TestMachine.inventory()).expectStatus().isEqualTo(409);
        attempt(Secret.random("lbr").value(), TestMachine.inventory())
                .expectStatus()
                .isUnauthorized();
        String expired = Secret.random("lbr").value();
        database.sql("""
                        insert into registration_token (external_id, workspace_id, token_hash, last4, machine_slug, machine_name,
                                                        visibility, created_by, expires_at)
                        select new_external_id('reg'), workspace_id, :hash, 'xxxx', 'late', 'Late', 'public', 'test', now() - interval '1 second'
                          from workspace where slug = 'main'
                        """).bind("hash", new Secret(expired).hash()).then().block(TIMEOUT);
        attempt(expired, TestMachine.inventory()).expectStatus().isUnauthorized();
    }

    @Test
    void a_bad_inventory_is_refused_whole_and_leaves_the_token_good() {
        String line = document(form(as(Role.OWNER), "/machines/new", Map.of("name", "strict", "visibility", "public"))
                        .expectBody()
                        .returnResult())
                .select(".code code")
                .text();
        String token = line.substring(line.indexOf("lbr_"));
        ObjectNode bad = (ObjectNode) TestMachine.inventory();
        ((ObjectNode) bad.get("jdks").get(0)).put("identity", "not a digest");
        attempt(token, bad)
                .expectStatus()
                .isEqualTo(422)
                .expectBody()
                .jsonPath("$.errors[0].field")
                .isEqualTo("inventory.jdks[0].identity");
        ObjectNode debug = (ObjectNode) TestMachine.inventory();
        ((ObjectNode) debug.get("jdks").get(0).get("lineage")).put("debugLevel", "fastdebug");
        attempt(token, debug).expectStatus().isEqualTo(422);
        ObjectNode missing = (ObjectNode) TestMachine.inventory();
        missing.remove("servers");
        attempt(token, missing)
                .expectStatus()
                .isEqualTo(422)
                .expectBody()
                .jsonPath("$.errors[0].field")
                .isEqualTo("inventory.servers");
        ObjectNode gap = (ObjectNode) TestMachine.inventory();
        ((ObjectNode) gap.get("servers").get(0).get("workloads").get(0).get("params")).putNull("delayMs");
        attempt(token, gap)
                .expectStatus()
                .isEqualTo(422)
                .expectBody()
                .jsonPath("$.errors[0].field")
                .isEqualTo("inventory.servers[0].workloads[0].params.delayMs");
        register(token);
    }

    private JsonNode register(String token) {
        return json(attempt(token, TestMachine.inventory()).expectStatus().isCreated());
    }

    private WebTestClient.ResponseSpec attempt(String token, JsonNode inventory) {
        return client.post()
                .uri("/api/agent/v1/register")
                .bodyValue(Map.of("token", token, "inventory", inventory))
                .exchange();
    }

    private Document fragment(String path) {
        return document(as(Role.OWNER)
                .get()
                .uri(path)
                .header("HX-Request", "true")
                .exchange()
                .expectBody()
                .returnResult());
    }

    /** As an agent does that has been started. */
    private void claim(String agentKey) {
        client.post()
                .uri("/api/agent/v1/claim?waitSeconds=0")
                .header("Authorization", "Bearer " + agentKey)
                .exchange()
                .expectStatus()
                .isNoContent();
    }
}
