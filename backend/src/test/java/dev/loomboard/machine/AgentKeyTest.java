package dev.loomboard.machine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.kernel.Secret;
import dev.loomboard.kit.Cast.Role;
import dev.loomboard.kit.TestMachine;
import dev.loomboard.kit.WebTest;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.jsoup.nodes.Document;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.http.CacheControl;
import org.springframework.test.web.reactive.server.WebTestClient;
import tools.jackson.databind.JsonNode;

/** Keys end and are replaced; the machine stays. */
final class AgentKeyTest extends WebTest {

    private TestMachine machine = new TestMachine("", "", "");

    @BeforeEach
    void register() {
        machine = TestMachine.registered(as(Role.TOKEN), client, "public");
    }

    @Test
    void an_agents_new_key_is_good_at_once_and_the_old_one_for_an_hour() {
        String next = Secret.random("lba").value();
        Instant before = Instant.now();
        JsonNode state = json(put(machine.key(), next).expectStatus().isOk());
        assertThat(Instant.parse(state.get("previousUntil").asString()))
                .isBetween(before.plus(Duration.ofMinutes(59)), before.plus(Duration.ofMinutes(62)));
        assertThat(Instant.parse(state.get("expiresAt").asString()))
                .isBetween(before.plus(Duration.ofDays(364)), before.plus(Duration.ofDays(366)));
        claims(next, 204);
        claims(machine.key(), 204);
        set("previous_key_until = now() - interval '1 second'");
        claims(machine.key(), 401);
        claims(next, 204);
        assertThat(number("select count(*) from machine where slug = '" + machine.slug() + "' and external_id = '"
                        + machine.id() + "'"))
                .as("the same machine")
                .isEqualTo(1);
        assertThat(audited()).isEqualTo(1);
    }

    @Test
    void an_answer_that_was_lost_is_asked_for_once_more_by_either_key() {
        String next = Secret.random("lba").value();
        for (String by : new String[] {machine.key(), machine.key(), next}) {
            put(by, next).expectStatus().isOk();
        }
        claims(machine.key(), 204); // it was not replaced twice
        assertThat(audited()).isEqualTo(1);
    }

    @Test
    void only_the_newest_key_may_name_the_next() {
        String next = Secret.random("lba").value();
        put(machine.key(), next).expectStatus().isOk();
        put(machine.key(), Secret.random("lba").value()).expectStatus().isEqualTo(409);
        claims(next, 204);
        put(next, Secret.random("lba").value()).expectStatus().isOk();
        claims(machine.key(), 401); // two keys are good at most
    }

    @Test
    void another_machines_key_is_not_taken() {
        TestMachine other = TestMachine.registered(as(Role.TOKEN), client, "public");
        put(machine.key(), other.key()).expectStatus().isEqualTo(422);
        claims(machine.key(), 204);
        claims(other.key(), 204);
    }

    @Test
    void a_key_expires_and_one_from_before_keys_did_never() {
        assertThat(
                        number(
                                "select count(*) from machine where external_id = '" + machine.id() + "'"
                                        + " and agent_key_expires_at between now() + interval '364 days' and now() + interval '366 days'"))
                .isEqualTo(1);
        set("agent_key_expires_at = null");
        claims(machine.key(), 204);
        set("agent_key_expires_at = now() - interval '1 second'");
        claims(machine.key(), 401);
        put(machine.key(), Secret.random("lba").value()).expectStatus().isUnauthorized();
    }

    @Test
    void an_owner_makes_a_key_that_is_shown_once_and_the_old_one_can_make_none() {
        String path = "/w/main/machines/" + machine.slug();
        as(Role.STRANGER).post().uri(path + "/key").exchange().expectStatus().isForbidden();
        assertThat(page(client, path).select("form[action$=/key]")).isEmpty();
        assertThat(page(as(Role.OWNER), path).select("form[action$=/key]").text())
                .contains("ends in " + machine.key().substring(machine.key().length() - 4), "is valid until");

        Document made = document(as(Role.OWNER)
                .post()
                .uri(path + "/key")
                .exchange()
                .expectStatus()
                .isOk()
                .expectHeader()
                .cacheControl(CacheControl.noStore())
                .expectBody()
                .returnResult());
        String line = made.select(".code code").text();
        assertThat(line).matches("loomboard-agent rotate-key --key lba_[a-z2-7]{52}");
        String next = line.substring(line.indexOf("lba_"));
        claims(next, 204);
        claims(machine.key(), 204);
        put(machine.key(), Secret.random("lba").value())
                .expectStatus()
                .isEqualTo(409); // whoever stole it cannot keep the machine by it
        assertThat(page(as(Role.OWNER), path).text()).doesNotContain(next);
        assertThat(audited()).isEqualTo(1);
    }

    @Test
    void a_revoked_machine_has_no_key_old_or_new() {
        String path = "/w/main/machines/" + machine.slug();
        String next = Secret.random("lba").value();
        put(machine.key(), next).expectStatus().isOk();
        as(Role.OWNER).post().uri(path + "/revoke").exchange().expectStatus().isSeeOther();
        claims(machine.key(), 401);
        claims(next, 401);
        as(Role.OWNER).post().uri(path + "/key").exchange().expectStatus().isEqualTo(409);
    }

    private WebTestClient.ResponseSpec put(String by, String next) {
        return bearer(by)
                .put()
                .uri("/api/agent/v1/key")
                .bodyValue(Map.of("agentKey", next))
                .exchange();
    }

    private void claims(String key, int status) {
        bearer(key)
                .post()
                .uri("/api/agent/v1/claim?waitSeconds=0")
                .exchange()
                .expectStatus()
                .isEqualTo(status);
    }

    private void set(String what) {
        execute("update machine set " + what + " where external_id = '" + machine.id() + "'");
    }

    private long audited() {
        return number(
                "select count(*) from audit_event where action = 'machine.key' and subject = '" + machine.id() + "'");
    }
}
