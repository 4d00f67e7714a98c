package dev.loomboard.signing;

import static dev.loomboard.signing.Ed25519.ascii;

import dev.loomboard.audit.AuditEvent;
import dev.loomboard.audit.AuditStore;
import dev.loomboard.web.Problem;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Service;
import org.springframework.transaction.reactive.TransactionalOperator;
import reactor.core.publisher.Mono;

/** Signs the assignments of agents, and what they may install. */
@Service
public class SigningService {

    /** Header of a request: what the agent drew for it. */
    public static final String NONCE = "Loomboard-Nonce";

    /** Header of the answer. */
    public static final String SIGNATURE = "Loomboard-Signature";

    /** A new key is announced by the one before it with these bytes first. */
    static final String KEY = "loomboard.signing-key/1\n";

    private static final Pattern NONCE_FORM = Pattern.compile("[A-Za-z0-9_-]{22,64}");

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
     * @param nonce what its agent drew for this request
     * @param body the bytes that are sent
     */
    public Mono<String> sign(SignedMessage kind, String machine, String nonce, byte[] body) {
        return presentOrNew()
                .map(present -> present.key().id() + " "
                        + base64(Ed25519.sign(present.privateKey(), kind.before(machine, nonce), body)));
    }

    /** Why nothing can be signed for a nonce; empty: it can. */
    public static Optional<Problem> refusal(@Nullable String nonce) {
        return nonce != null && NONCE_FORM.matcher(nonce).matches()
                ? Optional.empty()
                : Optional.of(Problem.invalid(NONCE, "must be 22 to 64 characters of A-Z, a-z, 0-9, - and _"));
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
