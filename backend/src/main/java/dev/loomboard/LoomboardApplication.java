package dev.loomboard;

import dev.loomboard.cli.Commands;
import java.util.List;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcClientAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcTemplateAutoConfiguration;
import org.springframework.boot.security.autoconfigure.ReactiveUserDetailsServiceAutoConfiguration;

/**
 * Starts the service, or does only what the first word asks for, see {@link Commands}. What is left out would be a second,
 * blocking way to the database, and a default user.
 */
@SpringBootApplication(
        exclude = {
            DataSourceTransactionManagerAutoConfiguration.class,
            JdbcTemplateAutoConfiguration.class,
            JdbcClientAutoConfiguration.class,
            ReactiveUserDetailsServiceAutoConfiguration.class
        })
public class LoomboardApplication {

    public static void main(String[] args) {
        if (Commands.areMeantBy(args)) {
            System.exit(Commands.run(List.of(args), System.out, System.err));
        }
        SpringApplication.run(LoomboardApplication.class, args);
    }
}
