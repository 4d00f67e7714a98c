package dev.loomboard;

import dev.loomboard.series.RollupCheckApplication;
import dev.loomboard.stats.Detect;
import java.util.Arrays;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcClientAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcTemplateAutoConfiguration;
import org.springframework.boot.security.autoconfigure.ReactiveUserDetailsServiceAutoConfiguration;

/** Starts the service, or with {@code detect FILE …} only finds change points, with {@code verify-rollups} only makes stored numbers again. What is left out would be a second, blocking way to the database, and a default user. */
@SpringBootApplication(
        exclude = {
            DataSourceTransactionManagerAutoConfiguration.class,
            JdbcTemplateAutoConfiguration.class,
            JdbcClientAutoConfiguration.class,
            ReactiveUserDetailsServiceAutoConfiguration.class
        })
public class LoomboardApplication {

    public static void main(String[] args) {
        switch (args.length == 0 ? "" : args[0]) {
            case "detect" ->
                System.exit(Detect.run(Arrays.asList(args).subList(1, args.length), System.out, System.err));
            case "verify-rollups" -> System.exit(RollupCheckApplication.run(System.out, System.err));
            default -> SpringApplication.run(LoomboardApplication.class, args);
        }
    }
}
