package dev.loomboard.signing;

import dev.loomboard.audit.AuditStore;
import dev.loomboard.database.CommandApplication;
import java.io.PrintStream;
import java.time.Duration;
import java.util.Optional;
import org.springframework.context.annotation.Import;

/** The command {@code rotate-signing-key}, on the database that the service uses, which may go on beside it. */
@Import({AuditStore.class, SigningKeyStore.class, SigningService.class})
public class RotateKeyApplication extends CommandApplication {

    private static final Duration TIMEOUT = Duration.ofSeconds(20);

    /**
     * @param settings as on a command line; absent: those of the environment
     * @return the exit code: 0 there is a new key, 1 another rotation came first, 2 the database gives no answer
     */
    public static int run(PrintStream out, PrintStream err, String... settings) {
        return run(RotateKeyApplication.class, err, settings, context -> {
            Optional<SigningKey> next =
                    context.getBean(SigningService.class).rotate("operator").blockOptional(TIMEOUT);
            next.ifPresentOrElse(
                    key -> out.println(
                            "Assignments are signed by key " + key.id()
                                    + " from now on. The key before it has announced it to agents, and its private half is gone."),
                    () -> err.println("rotate-signing-key: the key was replaced by another rotation just now."));
            return next.isPresent() ? 0 : 1;
        });
    }
}
