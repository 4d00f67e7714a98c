package dev.loomboard.machine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.kit.Cast.Role;
import dev.loomboard.kit.TestMachine;
import dev.loomboard.kit.WebTest;
import java.util.Map;
import org.jsoup.nodes.Document;
import org.junit.jupiter.api.Test;
import org.springframework.test.web.reactive.server.WebTestClient;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The pages of a machine that is there, and what its owners do to it. */
final class MachinePagesTest extends WebTest {

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
        assertThat(shown.get("spreads")).hasSize(7);
        JsonNode spread = shown.get("spreads").get(0);
        assertThat(spread.get("resource").asString()).isEqualTo("cpu");
        assertThat(spread.get("spread").asDouble())
                .isBetween(spread.get("low").asDouble(), spread.get("high").asDouble());
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

        JsonNode again = json(as(Role.TOKEN)
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
                .anyMatch(row -> row.contains("shown.microcode not reported 0x5003902"))
                .anyMatch(row -> row.endsWith("9.9.9"))
                .noneMatch(row -> row.contains("mhzNow"));
        assertThat(shown.select("h3:contains(Removed JDK builds) + ul li")).hasSize(1);
        assertThat(shown.select("[data-charts] figure[data-chart=noise]"))
                .as("its attempts at a qualification")
                .hasSize(1);
        assertThat(json("/w/main/machines/" + machine.slug() + ".json")
                        .at("/charts/0/id")
                        .asString())
                .isEqualTo("noise");
    }

    private long audited(TestMachine machine, String action) {
        return number("select count(*) from audit_event where action = '" + action + "' and subject = '" + machine.id()
                + "'");
    }

    private JsonNode json(String path) {
        return json(client.get().uri(path).exchange().expectStatus().isOk());
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
