package dev.loomboard.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.signing.SignedMessage;
import dev.loomboard.signing.SigningService;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.test.web.reactive.server.WebTestClient;

/** What a claim answers is signed for the machine and the nonce of the claim. */
final class AssignmentSignatureTest extends RunWebTest {

    private static final String NONCE = "AAECAwQFBgcICQoLDA0ODw";

    @Test
    void assignment_is_signed_to_the_byte_as_it_is_sent() {
        queue(machine);
        var answer = claim(NONCE).expectStatus().isOk().expectBody().returnResult();
        byte[] body = Objects.requireNonNull(answer.getResponseBody());
        SigningService signing = service.bean(SigningService.class);
        assertThat(answer.getResponseHeaders().getFirst("Loomboard-Signature"))
                .isEqualTo(await(signing.sign(SignedMessage.ASSIGNMENT, machine.id(), NONCE, body)))
                .isNotEqualTo(await(signing.sign(SignedMessage.ASSIGNMENT, machine.id(), NONCE + "x", body)));
        assertThat(answer.getResponseHeaders().getContentType()).hasToString("application/json");
    }

    @Test
    void claim_without_a_nonce_is_not_signed_and_a_malformed_one_is_refused() {
        queue(machine);
        claim("short")
                .expectStatus()
                .isEqualTo(422)
                .expectBody()
                .jsonPath("$.errors[0].field")
                .isEqualTo("Loomboard-Nonce");
        claim(null).expectStatus().isOk().expectHeader().doesNotExist("Loomboard-Signature");
    }

    private WebTestClient.ResponseSpec claim(@Nullable String nonce) {
        var request = bearer(machine.key()).post().uri("/api/agent/v1/claim?waitSeconds=0");
        return (nonce == null ? request : request.header("Loomboard-Nonce", nonce)).exchange();
    }
}
