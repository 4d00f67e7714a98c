package dev.loomboard.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.contract.Conversation.Answer;
import dev.loomboard.kit.Cast.Role;
import dev.loomboard.kit.WebTest;
import dev.loomboard.web.Secret;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
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

    private final Conversation agent = new Conversation(Contract.AGENT);
    private final Conversation scripts = new Conversation(Contract.SCRIPTS);

    @Test
    void machine_registers_and_reports_as_described() {
        ObjectNode request = (ObjectNode) ExamplesTest.example("register-request.json");
        agent.call(client, REGISTER, request.put("token", Secret.random("lbr").value())).expect(401);
        request.put("token", token());
        JsonNode registered = agent.call(client, REGISTER, request).expect(201).json();
        agent.call(client, REGISTER, request).expect(409);
        String key = registered.get("agentKey").asString();
        agent.call(bearer(key), INVENTORY, ExamplesTest.example("inventory.json")).expect(204);
        agent.call(client, INVENTORY, ExamplesTest.example("inventory.json")).expect(401);
    }

    @Test
    void what_the_description_refuses_is_refused_and_named() {
        ObjectNode request = (ObjectNode) ExamplesTest.example("register-request.json");
        request.put("token", token());
        refusesWhatTheDescriptionRefuses(agent, REGISTER, request, bad -> agent.send(client, REGISTER, bad));
        agent.call(client, REGISTER, request).expect(201); // none of those used the token up
        WebTestClient key = as(Role.AGENT);
        refusesWhatTheDescriptionRefuses(
                agent,
                INVENTORY,
                ExamplesTest.example("inventory.json"),
                bad -> agent.send(key, INVENTORY, bad));
        refusesWhatTheDescriptionRefuses(
                scripts, TOKEN, JsonMapper.shared().readTree("{\"name\": \"A machine\", \"visibility\": \"public\"}"), bad ->
                        scripts.send(as(Role.TOKEN), TOKEN, bad));
    }

    static void refusesWhatTheDescriptionRefuses(
            Conversation conversation, String operation, JsonNode good, Function<JsonNode, Answer> send) {
        List<String> tolerated = new ArrayList<>();
        int tried = 0;
        for (Mutations.Mutation mutation : Mutations.of(good)) {
            if (conversation.contract().requestProblems(operation, mutation.document()).isEmpty()) {
                continue; // allowed: what the service makes of it is tested elsewhere
            }
            tried++;
            Answer answer = send.apply(mutation.document());
            if (answer.status() != 400 && answer.status() != 422) {
                tolerated.add(mutation.what() + ": " + answer.status());
            } else if (answer.status() == 422 && answer.json().path("errors").isEmpty()) {
                tolerated.add(mutation.what() + ": no field named in " + answer.body());
            }
        }
        assertThat(tried).as("documents that %s must refuse", operation).isPositive();
        assertThat(tolerated).as("what %s does not refuse, or not by name", operation).isEmpty();
    }

    private String token() {
        JsonNode request = JsonMapper.shared().readTree("{\"name\": \"Contract machine\"}");
        return scripts.call(as(Role.TOKEN), TOKEN, request).expect(201).json().get("token").asString();
    }
}
