package dev.loomboard.machine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.kernel.Secret;
import dev.loomboard.kit.Cast.Role;
import dev.loomboard.kit.TestMachine;
import dev.loomboard.kit.WebTest;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import org.jsoup.nodes.Document;
import org.junit.jupiter.api.Test;
import org.springframework.http.MediaType;
import org.springframework.test.web.reactive.server.WebTestClient;
import org.springframework.util.LinkedMultiValueMap;
import org.springframework.web.reactive.function.BodyInserters;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** A machine's way from a form to a page, as a browser without scripts and an agent go it. */
final class MachinePagesTest extends WebTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(30);

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
        Document there = document(owner.get()
                .uri(waiting)
                .header("HX-Request", "true")
                .exchange()
                .expectBody()
                .returnResult());
        assertThat(there.select("html > head > title").text()).as("a fragment").isEmpty();
        assertThat(there.select("[hx-trigger]")).as("it asks no more").isEmpty();
        assertThat(there.select("#waiting a").attr("href"))
                .isEqualTo(registered.get("pageUrl").asString());

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
                        "differences below 63 % cannot be told",
                        "cpu.cores");
        assertThat(shown.select("#attempts tbody tr"))
                .as("all attempts, the newest first")
                .hasSize(2)
                .last()
                .satisfies(row -> assertThat(row.text()).contains("it was cut short", "3 trials are too few"));
        assertThat(shown.select("form[action$=revoke]"))
                .as("a visitor changes nothing")
                .isEmpty();
        assertThat(page(owner, registered.get("pageUrl").asString()).select("form[action$=revoke]"))
                .hasSize(1);
        assertThat(page(client, "/machines").text()).contains("Büro Bench!");
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

    @Test
    void an_inventory_replaces_what_was_there_and_two_builds_of_one_name_are_told_apart() {
        TestMachine machine = TestMachine.registered(as(Role.TOKEN), client, "public");
        ObjectNode next = (ObjectNode) TestMachine.inventory();
        ObjectNode rebuilt = (ObjectNode) next.get("jdks").get(1);
        rebuilt.put("modulesSha256", "0123456789abcdef".repeat(4)); // the name is another build's already
        String identity =
                TestMachine.identified(rebuilt).get("identity").asString().substring(0, 8);
        next.putArray("jdks").add(rebuilt);
        next.putArray("servers");
        bearer(machine.key())
                .put()
                .uri("/api/agent/v1/inventory")
                .bodyValue(next)
                .exchange()
                .expectStatus()
                .isNoContent();
        JsonNode shown = json("/w/main/machines/" + machine.slug() + ".json").get("machine");
        assertThat(shown.get("jdks")).hasSize(1);
        assertThat(shown.get("jdks").get(0).get("slug").asString()).isEqualTo("temurin-25.0.3_9-amd64-" + identity);
        assertThat(shown.get("jdks").get(0).get("agentSlug").asString()).isEqualTo("temurin-25.0.3_9-amd64");
        assertThat(shown.get("servers")).isEmpty();
        assertThat(shown.toString())
                .as("no internal key")
                .doesNotContain("\"key\"")
                .doesNotContain("workspaceKey");
    }

    @Test
    void owners_say_whether_suspected_changes_are_rerun() {
        TestMachine machine = TestMachine.registered(as(Role.TOKEN), client, "public");
        String path = "/w/main/machines/" + machine.slug();
        form(as(Role.STRANGER), path + "/reruns", Map.of("reruns", "off"))
                .expectStatus()
                .isForbidden();
        form(as(Role.OWNER), path + "/reruns", Map.of("reruns", "perhaps"))
                .expectStatus()
                .isEqualTo(422);
        assertThat(page(as(Role.OWNER), path).select("#reruns option[selected]").attr("value"))
                .isEqualTo("on");
        form(as(Role.OWNER), path + "/reruns", Map.of("reruns", "off"))
                .expectStatus()
                .isSeeOther();
        assertThat(page(as(Role.OWNER), path).select("#reruns option[selected]").attr("value"))
                .isEqualTo("off");
        assertThat(number("select count(*) from audit_event where action = 'machine.reruns' and subject = '"
                        + machine.id() + "'"))
                .isEqualTo(1);
    }

    @Test
    void owners_drain_rename_label_and_retire_a_machine() {
        TestMachine machine = TestMachine.registered(as(Role.TOKEN), client, "public");
        String path = "/w/main/machines/" + machine.slug();
        for (String change : new String[] {"/drain", "/name", "/labels"}) {
            form(as(Role.STRANGER), path + change, Map.of("drain", "on", "name", "Mine", "labels", "mine"))
                    .expectStatus()
                    .isForbidden();
        }
        WebTestClient owner = as(Role.OWNER);
        form(owner, path + "/drain", Map.of("drain", "perhaps")).expectStatus().isEqualTo(422);
        for (int twice = 0; twice < 2; twice++) {
            form(owner, path + "/drain", Map.of("drain", "on")).expectStatus().isSeeOther();
        }
        assertThat(page(client, path).select(".badge").eachText()).contains("draining");
        form(owner, path + "/drain", Map.of("drain", "off")).expectStatus().isSeeOther();
        assertThat(page(client, path).select(".badge").eachText()).doesNotContain("draining");
        assertThat(audited(machine, "machine.drain")).as("each change once").isEqualTo(2);

        Document refused = document(form(owner, path + "/name", Map.of("name", "   "))
                .expectStatus()
                .isEqualTo(422)
                .expectBody()
                .returnResult());
        assertThat(refused.select("#name-problem").text()).contains("1 to 80 characters");
        form(owner, path + "/name", Map.of("name", " Büro, links "))
                .expectStatus()
                .isSeeOther();
        assertThat(page(client, path).select("h1").text()).isEqualTo("Büro, links");
        assertThat(audited(machine, "machine.rename")).isEqualTo(1);

        Document odd = document(form(owner, path + "/labels", Map.of("labels", "quiet Loud"))
                .expectStatus()
                .isEqualTo(422)
                .expectBody()
                .returnResult());
        assertThat(odd.select("#labels-problem").text()).endsWith("one is: Loud");
        assertThat(odd.select("#labels").attr("value")).isEqualTo("quiet Loud");
        form(owner, path + "/labels", Map.of("labels", "rack=7, quiet"))
                .expectStatus()
                .isSeeOther();
        assertThat(page(client, path).select("#labelled .badge").eachText())
                .as("its owner's and its agent's")
                .containsExactly("disk=nvme", "quiet", "rack=7");
        assertThat(audited(machine, "machine.labels")).isEqualTo(1);

        form(owner, path + "/revoke", Map.of()).expectStatus().isSeeOther();
        Document list = page(client, "/machines");
        assertThat(list.select("[aria-label=Retired machines] a[href=" + path + "]"))
                .hasSize(1);
        assertThat(list.select("[aria-label=Machines] a[href=" + path + "]")).isEmpty();
        assertThat(page(owner, path).select(".badge").eachText()).contains("retired");
        assertThat(page(owner, path).select("form[action$=drain], form[action$=revoke]"))
                .isEmpty();
    }

    private long audited(TestMachine machine, String action) {
        return number("select count(*) from audit_event where action = '" + action + "' and subject = '" + machine.id()
                + "'");
    }

    @Test
    void hidden_machines_are_hidden_and_names_that_are_taken_get_a_number() {
        TestMachine machine = TestMachine.registered(as(Role.TOKEN), client, "public");
        String path = "/w/main/machines/" + machine.slug();
        form(as(Role.STRANGER), path + "/visibility", Map.of("visibility", "private"))
                .expectStatus()
                .isForbidden();
        form(as(Role.OWNER), path + "/visibility", Map.of("visibility", "private"))
                .expectStatus()
                .isSeeOther();
        as(Role.ANONYMOUS).get().uri(path).exchange().expectStatus().isNotFound();
        as(Role.STRANGER).get().uri(path).exchange().expectStatus().isNotFound();
        assertThat(page(client, "/machines").select("a[href=" + path + "]")).isEmpty();
        page(as(Role.OWNER), path);

        JsonNode again = body(as(Role.TOKEN)
                .post()
                .uri("/api/v1/machines/registration-tokens")
                .bodyValue(Map.of("name", machine.slug()))
                .exchange()
                .expectStatus()
                .isCreated());
        assertThat(again.get("machine").asString()).isEqualTo(machine.slug() + "-2");
        as(Role.TOKEN)
                .post()
                .uri("/api/v1/machines/registration-tokens")
                .bodyValue(Map.of("name", "x", "visibility", "odd"))
                .exchange()
                .expectStatus()
                .isEqualTo(422)
                .expectBody()
                .jsonPath("$.errors[0].field")
                .isEqualTo("visibility");
    }

    private JsonNode register(String token) {
        return body(attempt(token, TestMachine.inventory()).expectStatus().isCreated());
    }

    private WebTestClient.ResponseSpec attempt(String token, JsonNode inventory) {
        return client.post()
                .uri("/api/agent/v1/register")
                .bodyValue(Map.of("token", token, "inventory", inventory))
                .exchange();
    }

    private JsonNode json(String path) {
        return body(client.get().uri(path).exchange().expectStatus().isOk());
    }

    private static JsonNode body(WebTestClient.ResponseSpec answer) {
        return Objects.requireNonNull(
                answer.expectBody(JsonNode.class).returnResult().getResponseBody());
    }

    private static WebTestClient.ResponseSpec form(WebTestClient as, String path, Map<String, String> fields) {
        var form = new LinkedMultiValueMap<String, String>();
        fields.forEach(form::add);
        return as.post()
                .uri(path)
                .contentType(MediaType.APPLICATION_FORM_URLENCODED)
                .body(BodyInserters.fromFormData(form))
                .exchange();
    }

    @Test
    void what_the_host_is_is_kept_whenever_it_is_another() {
        TestMachine machine = TestMachine.registered(as(Role.TOKEN), client, "public");
        ObjectNode inventory = (ObjectNode) TestMachine.inventory();
        ObjectNode facts = (ObjectNode) inventory.get("host").get("facts");
        send(machine, inventory);
        assertThat(hosts(machine)).as("as it was registered").isEqualTo(1);
        anHourPasses(machine);
        facts.putObject("shown").put("mhzNow", 2400.5);
        send(machine, inventory);
        facts.putObject("shown").put("mhzNow", 3100.0);
        send(machine, inventory);
        assertThat(hosts(machine))
                .as("that it shows anything is new, its clock is not")
                .isEqualTo(2);
        anHourPasses(machine);
        facts.putObject("shown").put("microcode", "0x5003902");
        send(machine, inventory);
        anHourPasses(machine);
        inventory.put("agentVersion", "9.9.9");
        send(machine, inventory);
        assertThat(hosts(machine)).isEqualTo(4);
        ((ArrayNode) inventory.get("jdks")).remove(0);
        send(machine, inventory);
        Document shown = page(client, "/w/main/machines/" + machine.slug());
        assertThat(shown.select("[aria-label=Changes of the host] tbody tr").eachText())
                .anyMatch(row -> row.contains("shown.microcode not told 0x5003902"))
                .anyMatch(row -> row.endsWith("9.9.9"))
                .noneMatch(row -> row.contains("mhzNow"));
        assertThat(shown.select("h3:contains(JDK builds that it had) + ul li")).hasSize(1);
        assertThat(shown.select("[data-charts] figure[data-chart=noise]"))
                .as("its attempts at a qualification")
                .hasSize(1);
        assertThat(json("/w/main/machines/" + machine.slug() + ".json")
                        .at("/charts/0/id")
                        .asString())
                .isEqualTo("noise");
    }

    private void anHourPasses(TestMachine machine) {
        execute("update machine_host set since = since - interval '1 hour' where machine_id ="
                + " (select machine_id from machine where external_id = '" + machine.id() + "')");
    }

    private void send(TestMachine machine, ObjectNode inventory) {
        bearer(machine.key())
                .put()
                .uri("/api/agent/v1/inventory")
                .bodyValue(inventory)
                .exchange()
                .expectStatus()
                .isNoContent();
    }

    private long hosts(TestMachine machine) {
        return number("select count(*) from machine_host join machine using (machine_id) where external_id = '"
                + machine.id() + "'");
    }
}
