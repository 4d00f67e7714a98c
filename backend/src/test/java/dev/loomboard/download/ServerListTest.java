package dev.loomboard.download;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.kernel.Caller;
import dev.loomboard.kernel.MachineId;
import dev.loomboard.kernel.WorkspaceId;
import dev.loomboard.kit.Cast.Role;
import dev.loomboard.kit.WebTest;
import dev.loomboard.signing.SignedMessage;
import dev.loomboard.signing.SigningService;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.http.ResponseEntity;
import org.springframework.test.web.reactive.server.WebTestClient;

/** A registered machine gets the list of servers signed for it and for its request. */
final class ServerListTest extends WebTest {

    private static final String NONCE = "AAECAwQFBgcICQoLDA0ODw";
    private static final String LIST = "{\"servers\": [{\"name\": \"spring-mvc\", \"title\": \"l\u00f6ng\"}]}\n";

    @Test
    void list_is_signed_to_the_byte_and_is_no_assignment() {
        SigningService signing = service.bean(SigningService.class);
        Downloads downloads = new Downloads(Path.of("/srv"), Map.of(), "", List.of("spring-mvc"), LIST);
        Caller.Agent agent = new Caller.Agent(new MachineId(1), "mac_aaaaaaaaaaaaaaaaaaaa", new WorkspaceId(1));
        ResponseEntity<byte[]> answer = await(new ServerListApi(downloads, signing).servers(agent, NONCE));
        byte[] body = LIST.getBytes(StandardCharsets.UTF_8);
        assertThat(answer.getBody()).isEqualTo(body);
        assertThat(answer.getHeaders().getFirst("Loomboard-Signature"))
                .isEqualTo(await(signing.sign(SignedMessage.SERVER_LIST, agent.id(), NONCE, body)))
                .isNotEqualTo(await(signing.sign(SignedMessage.SERVER_LIST, "mac_b", NONCE, body)))
                .isNotEqualTo(await(signing.sign(SignedMessage.SERVER_LIST, agent.id(), NONCE + "x", body)))
                .isNotEqualTo(await(signing.sign(SignedMessage.ASSIGNMENT, agent.id(), NONCE, body)));
    }

    @Test
    void request_without_a_good_nonce_is_refused_and_a_service_without_servers_says_so() {
        refused(null);
        refused("short");
        refused("with a space in it, and longer");
        ask(NONCE).expectStatus().isNotFound();
    }

    private void refused(@Nullable String nonce) {
        ask(nonce)
                .expectStatus()
                .isEqualTo(422)
                .expectBody()
                .jsonPath("$.errors[0].field")
                .isEqualTo("Loomboard-Nonce");
    }

    private WebTestClient.ResponseSpec ask(@Nullable String nonce) {
        var request = as(Role.AGENT).get().uri("/api/agent/v1/server-list");
        return (nonce == null ? request : request.header("Loomboard-Nonce", nonce)).exchange();
    }
}
