package dev.loomboard.signing;

import dev.loomboard.audit.AuditStore;
import java.io.PrintStream;
import java.time.Duration;
import java.util.Optional;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.r2dbc.autoconfigure.R2dbcAutoConfiguration;
import org.springframework.boot.r2dbc.autoconfigure.R2dbcTransactionManagerAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ComponentScan;
import org.springframework.context.annotation.Import;
import org.springframework.dao.DataAccessException;
import org.springframework.transaction.ReactiveTransactionManager;
import org.springframework.transaction.reactive.TransactionalOperator;

/**
 * The command {@code rotate-signing-key}, on the database that the service uses, which may go on beside it.
 *
 * <p>Not marked as a configuration: the service would find it among its own packages.
 */
@ImportAutoConfiguration({
    JacksonAutoConfiguration.class,
    R2dbcAutoConfiguration.class,
    R2dbcTransactionManagerAutoConfiguration.class
})
@ComponentScan("dev.loomboard.database")
@Import({AuditStore.class, SigningKeyStore.class, SigningService.class})
public class RotateKeyApplication {

    private static final int NO_ANSWER = 2;
    private static final Duration TIMEOUT = Duration.ofSeconds(20);

    @Bean
    TransactionalOperator transaction(ReactiveTransactionManager transactions) {
        return TransactionalOperator.create(transactions);
    }

    /**
     * @param settings as on a command line; absent: those of the environment
     * @return the exit code: 0 there is a new key, 1 another rotation came first, 2 the database gives no answer
     */
    public static int run(PrintStream out, PrintStream err, String... settings) {
        SpringApplication program = new SpringApplication(RotateKeyApplication.class);
        program.setWebApplicationType(WebApplicationType.NONE);
        try (ConfigurableApplicationContext context = program.run(settings)) {
            Optional<SigningKey> next =
                    context.getBean(SigningService.class).rotate("operator").blockOptional(TIMEOUT);
            next.ifPresentOrElse(
                    key -> out.println(
                            "Assignments are signed by key " + key.id()
                                    + " from now on. The key before it has announced it to agents, and its private half is gone."),
                    () -> err.println("rotate-signing-key: the key was replaced by another rotation just now."));
            return next.isPresent() ? 0 : 1;
        } catch (DataAccessException e) {
            err.println("rotate-signing-key: the database does not answer as one of this version's does: "
                    + e.getMostSpecificCause().getMessage() + ". Start the service once, which makes its schema, or set"
                    + " LOOMBOARD_DATABASE_URL to the database that is meant.");
            return NO_ANSWER;
        }
    }
}
