package dev.loomboard.signing;

import static dev.loomboard.signing.Ed25519.ascii;

import dev.loomboard.audit.AuditEvent;
import dev.loomboard.audit.AuditStore;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.springframework.stereotype.Service;
import org.springframework.transaction.reactive.TransactionalOperator;
import reactor.core.publisher.Mono;

/** Signs what agents are told to do. */
@Service
public class SigningService {

    private static final String ASSIGNMENT = "loomboard.assignment/1\n";
    private static final String KEY = "loomboard.signing-key/1\n";

    private final SigningKeyStore keys;
    private final AuditStore audit;
    private final TransactionalOperator transaction;

    SigningService(SigningKeyStore keys, AuditStore audit, TransactionalOperator transaction) {
        this.keys = keys;
        this.audit = audit;
        this.transaction = transaction;
    }

    /**
     * The value of {@code Loomboard-Signature}: the key's id, a space, and the signature in base64.
     *
     * @param machine external id of the machine that is meant
     * @param nonce what its agent drew for this claim
     * @param body the bytes that are sent
     */
    public Mono<String> sign(String machine, String nonce, byte[] body) {
        return presentOrNew()
                .map(present -> present.key().id() + " "
                        + base64(Ed25519.sign(
                                present.privateKey(), ascii(ASSIGNMENT + machine + "\n" + nonce + "\n"), body)));
    }

    /** What a machine that registers is to pin. */
    public Mono<SigningKey> present() {
        return presentOrNew().map(SigningKeyStore.Present::key);
    }

    /** Oldest first, one at least. */
    Mono<List<SigningKey>> all() {
        return presentOrNew().then(keys.all().collectList());
    }

    /** Makes a key that the present one announces, and forgets that one's private half. Gives the new key. */
    Mono<SigningKey> rotate(String by) {
        Ed25519.Pair next = Ed25519.newPair();
        return presentOrNew()
                .flatMap(old -> keys.replace(old.key().id())
                        .filter(replaced -> replaced)
                        .flatMap(replaced -> keys.add(
                                        next, Ed25519.sign(old.privateKey(), ascii(KEY), next.publicKey()))
                                .then(audit.append(new AuditEvent(
                                        null,
                                        by,
                                        "signing.rotate",
                                        Ed25519.id(next.publicKey()),
                                        Map.of("replaced", old.key().id()))))
                                .then(keys.present()))
                        .map(SigningKeyStore.Present::key))
                .as(transaction::transactional);
    }

    private Mono<SigningKeyStore.Present> presentOrNew() {
        return keys.present()
                .switchIfEmpty(
                        Mono.defer(() -> keys.add(Ed25519.newPair(), null).then(keys.present())));
    }

    private static String base64(byte[] bytes) {
        return Base64.getEncoder().encodeToString(bytes);
    }
}
