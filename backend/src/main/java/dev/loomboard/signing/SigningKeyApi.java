package dev.loomboard.signing;

import java.util.List;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;

/** Where agents learn the keys that assignments are signed by. */
@RestController
class SigningKeyApi {

    private final SigningService signing;

    SigningKeyApi(SigningService signing) {
        this.signing = signing;
    }

    record SigningKeys(List<SigningKey> keys) {}

    @GetMapping("/api/agent/v1/signing-keys")
    Mono<SigningKeys> keys() {
        return signing.all().map(SigningKeys::new);
    }
}
