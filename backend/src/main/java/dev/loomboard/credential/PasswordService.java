package dev.loomboard.credential;

import java.security.SecureRandom;
import java.util.Base64;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.security.crypto.argon2.Argon2PasswordEncoder;
import org.springframework.stereotype.Service;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/** Argon2id. Each hash takes 19 MiB and tens of milliseconds, so few run at once and they run apart from requests. */
@Service
public class PasswordService implements DisposableBean {

    // OWASP's first recommendation for Argon2id: 19 MiB, 2 passes, 1 lane.
    private static final int SALT_BYTES = 16;
    private static final int HASH_BYTES = 32;
    private static final int LANES = 1;
    private static final int MEMORY_KIB = 19 * 1024;
    private static final int PASSES = 2;

    private static final SecureRandom RANDOM = new SecureRandom();

    private static final int THREADS = 2;
    private static final int WAITING = 100; // more than this waiting is refused as 503

    /**
     * Compared against when no such account exists, so that the time taken does not tell. The hash, by the parameters
     * above, of 256 random bits that nobody kept.
     */
    private static final String DECOY =
            "$argon2id$v=19$m=19456,t=2,p=1$zhDXrVRPMa4kSTldtMzBxA$J87ver4vL00jUMSZb9qDSFo6LVKugoC0i63ZFSqD9Q4";

    private final Argon2PasswordEncoder encoder =
            new Argon2PasswordEncoder(SALT_BYTES, HASH_BYTES, LANES, MEMORY_KIB, PASSES);
    private final Scheduler workers = Schedulers.newBoundedElastic(THREADS, WAITING, "password", 60, true);

    public Mono<String> hash(String password) {
        return Mono.fromSupplier(() -> encode(password)).subscribeOn(workers);
    }

    public Mono<Boolean> matches(String password, String hash) {
        return Mono.fromSupplier(() -> encoder.matches(password, hash)).subscribeOn(workers);
    }

    /** As long as {@link #matches}, and false. */
    public Mono<Boolean> matchesNobody(String password) {
        return matches(password, DECOY).thenReturn(false);
    }

    /** A hash that no password is known to fit: 256 random bits where the hash of one would stand. It costs no hashing. */
    public String nobodys() {
        byte[] salt = new byte[SALT_BYTES];
        byte[] hash = new byte[HASH_BYTES];
        RANDOM.nextBytes(salt);
        RANDOM.nextBytes(hash);
        Base64.Encoder base64 = Base64.getEncoder().withoutPadding();
        return "$argon2id$v=19$m=" + MEMORY_KIB + ",t=" + PASSES + ",p=" + LANES + "$" + base64.encodeToString(salt)
                + "$" + base64.encodeToString(hash);
    }

    private String encode(String password) {
        String hash = encoder.encode(password);
        if (hash == null) {
            throw new IllegalStateException("Argon2 gave no hash");
        }
        return hash;
    }

    @Override
    public void destroy() {
        workers.dispose();
    }
}
