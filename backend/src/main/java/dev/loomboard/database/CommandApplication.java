package dev.loomboard.database;

import java.io.PrintStream;
import java.time.Clock;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.r2dbc.autoconfigure.R2dbcAutoConfiguration;
import org.springframework.boot.r2dbc.autoconfigure.R2dbcTransactionManagerAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ComponentScan;
import org.springframework.dao.DataAccessException;
import org.springframework.transaction.ReactiveTransactionManager;
import org.springframework.transaction.reactive.TransactionalOperator;

/**
 * What a command has that works on the database which the service would use, and serves nothing.
 *
 * <p>It and its kinds are not marked as configurations: the service would find them among its own packages and have two
 * clocks.
 */
@ImportAutoConfiguration({
    JacksonAutoConfiguration.class,
    R2dbcAutoConfiguration.class,
    R2dbcTransactionManagerAutoConfiguration.class
})
@ComponentScan("dev.loomboard.database")
public abstract class CommandApplication {

    private static final int NO_ANSWER = 2;

    /** One of the commands; its exit code. */
    public interface Command {
        int run(ConfigurableApplicationContext context);
    }

    @Bean
    Clock clock() {
        return Clock.systemUTC();
    }

    @Bean
    TransactionalOperator transactionalOperator(ReactiveTransactionManager transactions) {
        return TransactionalOperator.create(transactions);
    }

    /**
     * @param settings as on a command line, such as {@code --loomboard.database.url=…}; absent: those of the environment
     * @return the exit code of the command; 2: the database gives no answer
     */
    protected static int run(
            Class<? extends CommandApplication> application, PrintStream err, String[] settings, Command command) {
        SpringApplication program = new SpringApplication(application);
        program.setWebApplicationType(WebApplicationType.NONE);
        try (ConfigurableApplicationContext context = program.run(settings)) {
            return command.run(context);
        } catch (DataAccessException e) {
            err.println("The database does not answer as one of this version's does: "
                    + e.getMostSpecificCause().getMessage() + ". Start the service once, which makes its schema, or set"
                    + " LOOMBOARD_DATABASE_URL to the database that is meant.");
            return NO_ANSWER;
        }
    }
}
