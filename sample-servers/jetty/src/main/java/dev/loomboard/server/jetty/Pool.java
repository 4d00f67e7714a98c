package dev.loomboard.server.jetty;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.time.Duration;
import javax.sql.DataSource;

/** The connections that all workloads share which ask the database. */
final class Pool {

    private Pool() {}

    static DataSource of(Settings.Database settings) {
        // A connection that was idle for half a second would else be tried first: a second question, which
        // makes a request at low rates twice as far from its database as one at high rates.
        System.setProperty(
                "com.zaxxer.hikari.aliveBypassWindowMs",
                String.valueOf(Duration.ofDays(1).toMillis()));
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl("jdbc:postgresql://" + settings.address());
        config.setUsername(settings.user());
        config.setPassword(settings.password());
        config.setMaximumPoolSize(settings.connections());
        return new HikariDataSource(config);
    }
}
