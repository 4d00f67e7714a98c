package dev.loomboard.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.kit.Cast.Role;
import dev.loomboard.kit.TestMachine;
import dev.loomboard.kit.WebTest;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.test.web.reactive.server.WebTestClient;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What a script with the scope admin does, as the description has it. */
final class AdministrationContractTest extends WebTest {

    private static final String DRAIN = "POST /api/v1/machines/{slug}/drain";
    private static final String RETIRE = "POST /api/v1/machines/{slug}/retire";
    private static final String AUDIT = "GET /api/v1/audit";
    private static final String CLAIM = "/api/agent/v1/claim?waitSeconds=0";

    private static final JsonNode ON = JsonMapper.shared().readTree("{\"drain\": true}");
    private static final JsonNode OFF = JsonMapper.shared().readTree("{\"drain\": false}");

    private final Conversation scripts = new Conversation(Contract.SCRIPTS);
    private final WebTestClient admin = as(Role.ADMIN_TOKEN);

    /** It includes the scope to register machines. */
    private final TestMachine machine = TestMachine.registered(admin, client, "public");

    @Test
    void machine_drains_takes_runs_again_and_is_retired() {
        scripts.call(client, DRAIN, ON, machine.slug()).expect(401);
        scripts.call(as(Role.REGISTER_TOKEN), DRAIN, ON, machine.slug()).expect(403);
        Refusals.check(Contract.SCRIPTS, DRAIN, ON, bad -> scripts.send(admin, DRAIN, bad, machine.slug()));
        assertThat(draining()).isZero();
        scripts.call(admin, DRAIN, ON, machine.slug()).expect(204);
        assertThat(draining()).isEqualTo(1);
        scripts.call(admin, DRAIN, OFF, machine.slug()).expect(204);
        assertThat(draining()).isZero();
        assertThat(claim()).isEqualTo(204);
        scripts.call(admin, RETIRE, null, machine.slug()).expect(204);
        assertThat(claim()).as("by the key of a machine that is retired").isEqualTo(401);
        scripts.call(admin, RETIRE, null, machine.slug()).expect(204);

        JsonNode events = scripts.call(admin, AUDIT + "?action=machine", null)
                .expect(200)
                .json()
                .get("events");
        assertThat(events.valueStream()
                        .filter(e -> e.get("subject").asString().equals(machine.id())
                                && e.get("actor").asString().startsWith("tok_"))
                        .map(e -> e.get("action").asString()))
                .containsExactly("machine.revoke", "machine.drain", "machine.drain");
    }

    @Test
    void machine_of_another_workspace_is_not_found_and_stays_as_it_is() {
        scripts.call(admin, DRAIN, ON, "other-machine").expect(404);
        scripts.call(admin, RETIRE, null, "other-machine").expect(404);
        assertThat(number("select count(*) from machine where slug = 'other-machine' and revoked_at is null"
                        + " and draining_since is null"))
                .isEqualTo(1);
    }

    @Test
    void audit_log_is_of_the_workspace_alone_and_goes_on_by_number() {
        execute("""
                insert into audit_event (workspace_id, actor, action, subject, detail)
                select workspace_id, 'script-' || slug, 'contract.try', 's', '{}' from workspace, generate_series(1, 501)
                 where slug in ('main', 'elsewhere')""");
        JsonNode newest = scripts.call(admin, AUDIT + "?action=contract", null)
                .expect(200)
                .json();
        assertThat(newest.get("events")
                        .valueStream()
                        .map(e -> e.get("workspace").asString()))
                .hasSize(500)
                .containsOnly("main");
        JsonNode older = scripts.call(
                        admin,
                        AUDIT + "?action=contract&before=" + newest.get("older").asLong(),
                        null)
                .expect(200)
                .json();
        assertThat(older.get("events")).isNotEmpty();
        assertThat(older.get("older").isNull()).isTrue();
        scripts.call(client, AUDIT, null).expect(401);
        scripts.call(as(Role.SCHEDULE_TOKEN), AUDIT, null).expect(403);
        for (String wrong : List.of("?before=-1", "?from=yesterday", "?action=*")) {
            scripts.call(admin, AUDIT + wrong, null).expect(422);
        }
    }

    private int claim() {
        return bearer(machine.key())
                .post()
                .uri(CLAIM)
                .exchange()
                .expectBody()
                .returnResult()
                .getStatus()
                .value();
    }

    private long draining() {
        return number("select count(*) from machine where draining_since is not null and external_id = '" + machine.id()
                + "'");
    }
}
