package dev.loomboard.download;

import dev.loomboard.kernel.Caller;
import dev.loomboard.signing.SignedMessage;
import dev.loomboard.signing.SigningService;
import dev.loomboard.web.Problem;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;

/** The list of servers for a machine that is registered: signed, so that nobody in between can offer others. */
@RestController
class ServerListApi {

    private final Downloads downloads;
    private final SigningService signing;

    ServerListApi(Downloads downloads, SigningService signing) {
        this.downloads = downloads;
        this.signing = signing;
    }

    @GetMapping("/api/agent/v1/server-list")
    Mono<ResponseEntity<byte[]>> servers(
            Caller.Agent agent, @RequestHeader(name = SigningService.NONCE, required = false) @Nullable String nonce) {
        Optional<Problem> refusal = SigningService.refusal(nonce);
        if (nonce == null || refusal.isPresent()) {
            return Mono.error(refusal.orElseThrow().asException());
        }
        if (downloads.serverList().isEmpty()) {
            return Mono.error(Problem.notFound().asException());
        }
        byte[] list = downloads.serverList().getBytes(StandardCharsets.UTF_8);
        return signing.sign(SignedMessage.SERVER_LIST, agent.id(), nonce, list)
                .map(signature -> ResponseEntity.ok()
                        .header(SigningService.SIGNATURE, signature)
                        .contentType(MediaType.APPLICATION_JSON)
                        .body(list));
    }
}
