package dev.loomboard;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcClientAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcTemplateAutoConfiguration;
import org.springframework.boot.security.autoconfigure.ReactiveUserDetailsServiceAutoConfiguration;

/** Starts the service. What is left out would be a second, blocking way to the database, and a default user. */
@SpringBootApplication(
        exclude = {
            DataSourceTransactionManagerAutoConfiguration.class,
            JdbcTemplateAutoConfiguration.class,
            JdbcClientAutoConfiguration.class,
            ReactiveUserDetailsServiceAutoConfiguration.class
        })
public class LoomboardApplication {

    public static void main(String[] args) {
        SpringApplication.run(LoomboardApplication.class, args);
    }
}
