package dev.loomboard;

import dev.loomboard.generate.FillApplication;
import dev.loomboard.recompute.RollupCheckApplication;
import dev.loomboard.simulation.Simulate;
import dev.loomboard.stats.Detect;
import dev.loomboard.verdict.SplitsCommand;
import java.util.Arrays;
import java.util.List;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcClientAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcTemplateAutoConfiguration;
import org.springframework.boot.security.autoconfigure.ReactiveUserDetailsServiceAutoConfiguration;

/**
 * Starts the service, or does only what the first word asks for: {@code detect FILE …} finds change points, {@code simulate}
 * plays the methods on noise, {@code splits FILE} on measured trials, {@code verify-rollups} makes stored numbers again,
 * {@code fill} generates a big database. What is left out would be a second,
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
        List<String> words = Arrays.asList(args);
        switch (words.isEmpty() ? "" : words.getFirst()) {
            case "detect" -> System.exit(Detect.run(words.subList(1, words.size()), System.out, System.err));
            case "simulate" -> System.exit(Simulate.run(words.subList(1, words.size()), System.out, System.err));
            case "splits" -> System.exit(SplitsCommand.run(words.subList(1, words.size()), System.out, System.err));
            case "verify-rollups" -> System.exit(RollupCheckApplication.run(System.out, System.err));
            case "fill" -> System.exit(FillApplication.run(words.subList(1, words.size()), System.out, System.err));
            default -> SpringApplication.run(LoomboardApplication.class, args);
        }
    }
}
