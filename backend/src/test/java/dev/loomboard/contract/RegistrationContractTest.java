package dev.loomboard.contract;

import dev.loomboard.kernel.Secret;
import dev.loomboard.kit.Cast.Role;
import dev.loomboard.kit.WebTest;
import org.junit.jupiter.api.Test;
import org.springframework.test.web.reactive.server.WebTestClient;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** A machine introduces itself: the examples are taken, and whatever the description refuses the service refuses. */
final class RegistrationContractTest extends WebTest {

    private static final String TOKEN = "POST /api/v1/machines/registration-tokens";
    private static final String REGISTER = "POST /api/agent/v1/register";
    private static final String INVENTORY = "PUT /api/agent/v1/inventory";
    private static final String KEY = "PUT /api/agent/v1/key";

    private final Conversation agent = new Conversation(Contract.AGENT);
    private final Conversation scripts = new Conversation(Contract.SCRIPTS);

    @Test
    void machine_registers_and_reports_as_described() {
        ObjectNode request = (ObjectNode) ExamplesTest.example("register-request.json");
        agent.call(client, REGISTER, request.put("token", Secret.random("lbr").value()))
                .expect(401);
        request.put("token", token());
        JsonNode registered = agent.call(client, REGISTER, request).expect(201).json();
        agent.call(client, REGISTER, request).expect(409);
        String key = registered.get("agentKey").asString();
        agent.call(bearer(key), INVENTORY, ExamplesTest.example("inventory.json"))
                .expect(204);
        agent.call(client, INVENTORY, ExamplesTest.example("inventory.json")).expect(401);
        ObjectNode next = (ObjectNode) ExamplesTest.example("key-request.json");
        next.put("agentKey", Secret.random("lba").value());
        agent.call(client, KEY, next).expect(401);
        agent.call(bearer(key), KEY, next).expect(200);
        agent.call(bearer(key), KEY, next.put("agentKey", Secret.random("lba").value()))
                .expect(409);
    }

    @Test
    void what_the_description_refuses_is_refused_and_named() {
        ObjectNode request = (ObjectNode) ExamplesTest.example("register-request.json");
        request.put("token", token());
        Refusals.check(Contract.AGENT, REGISTER, request, bad -> agent.send(client, REGISTER, bad));
        agent.call(client, REGISTER, request).expect(201); // none of those used the token up
        WebTestClient key = as(Role.AGENT);
        JsonNode inventory = ExamplesTest.example("inventory.json");
        Refusals.check(Contract.AGENT, INVENTORY, inventory, bad -> agent.send(key, INVENTORY, bad));
        Refusals.check(Contract.AGENT, KEY, ExamplesTest.example("key-request.json"), bad -> agent.send(key, KEY, bad));
        WebTestClient script = as(Role.TOKEN);
        JsonNode machine = JsonMapper.shared().readTree("{\"name\": \"A machine\", \"visibility\": \"public\"}");
        Refusals.check(Contract.SCRIPTS, TOKEN, machine, bad -> scripts.send(script, TOKEN, bad));
    }

    private String token() {
        JsonNode request = JsonMapper.shared().readTree("{\"name\": \"Contract machine\"}");
        return scripts.call(as(Role.TOKEN), TOKEN, request)
                .expect(201)
                .json()
                .get("token")
                .asString();
    }
}
