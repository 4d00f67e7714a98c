package dev.loomboard.database;

import com.zaxxer.hikari.HikariDataSource;
import dev.loomboard.kernel.DatabaseOutage;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.r2dbc.postgresql.PostgresqlConnectionFactoryProvider;
import io.r2dbc.postgresql.client.SSLMode;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactories;
import io.r2dbc.spi.ConnectionFactory;
import io.r2dbc.spi.ConnectionFactoryOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.flyway.autoconfigure.FlywayConnectionDetails;
import org.springframework.boot.quartz.autoconfigure.QuartzDataSource;
import org.springframework.boot.r2dbc.autoconfigure.R2dbcConnectionDetails;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.r2dbc.connection.DelegatingConnectionFactory;
import reactor.core.publisher.Mono;

/** Decides which PostgreSQL the service uses, and gives its address to the three that connect: R2DBC, Flyway, Quartz. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(DatabaseConfig.Settings.class)
public class DatabaseConfig {

    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);

    /** No query of a page or an upload may take longer; bulk work belongs elsewhere. */
    private static final Duration STATEMENT_TIMEOUT = Duration.ofSeconds(30);

    /**
     * A connection plans each query once, whatever its parameters will be. Left to itself PostgreSQL plans the big ones again
     * each time, which takes longer than to answer them: all go by keys, so no parameter makes another plan the better.
     */
    private static final Map<String, String> PLANNED_ONCE = Map.of("plan_cache_mode", "force_generic_plan");

    private static final int QUARTZ_CONNECTIONS = 4;

    /**
     * @param url address of a PostgreSQL; blank: start the embedded one
     * @param data folder of the embedded one
     * @param shared true for a program that may work beside the service, on the embedded one that the service started
     */
    @ConfigurationProperties("loomboard.database")
    record Settings(@Nullable String url, Path data, boolean shared) {}

    @Bean(destroyMethod = "close")
    OpenDatabase database(Settings settings) {
        return settings.shared()
                ? OpenDatabase.besideAService(settings.url(), settings.data())
                : OpenDatabase.open(settings.url(), settings.data());
    }

    @Bean
    FlywayConnectionDetails flywayConnectionDetails(OpenDatabase database) {
        DatabaseUrl url = database.url();
        return new FlywayConnectionDetails() {
            @Override
            public String getUsername() {
                return url.user();
            }

            @Override
            public String getPassword() {
                return url.password();
            }

            @Override
            public String getJdbcUrl() {
                return url.jdbc();
            }
        };
    }

    @Bean
    R2dbcConnectionDetails r2dbcConnectionDetails(OpenDatabase database) {
        ConnectionFactoryOptions options = r2dbc(database.url());
        return () -> options;
    }

    @Bean
    DatabaseOutage databaseOutage() {
        return new DatabaseOutage();
    }

    @Bean(destroyMethod = "close")
    ConnectionPools connections(R2dbcConnectionDetails details, DatabaseOutage outage) {
        return new ConnectionPools(watched(ConnectionFactories.get(details.getConnectionFactoryOptions()), outage));
    }

    @Bean
    MeterBinder connectionFigures(ConnectionPools connections) {
        return connections::show;
    }

    /** Beneath the pools: it is asked whenever a connection is made, and only then. */
    private static ConnectionFactory watched(ConnectionFactory database, DatabaseOutage outage) {
        return new DelegatingConnectionFactory(database) {
            @Override
            public Mono<? extends Connection> create() {
                return super.create().doOnNext(made -> outage.ended()).doOnError(outage::began);
            }
        };
    }

    /** How the service connects; answers have numbers, times and arrays as PostgreSQL has them, not written as text. */
    public static ConnectionFactoryOptions r2dbc(DatabaseUrl url) {
        ConnectionFactoryOptions.Builder options = ConnectionFactoryOptions.builder()
                .option(ConnectionFactoryOptions.DRIVER, "postgresql")
                .option(ConnectionFactoryOptions.HOST, url.host())
                .option(ConnectionFactoryOptions.PORT, url.port())
                .option(ConnectionFactoryOptions.DATABASE, url.database())
                .option(ConnectionFactoryOptions.USER, url.user())
                .option(ConnectionFactoryOptions.PASSWORD, url.password())
                .option(ConnectionFactoryOptions.CONNECT_TIMEOUT, CONNECT_TIMEOUT)
                .option(PostgresqlConnectionFactoryProvider.APPLICATION_NAME, "loomboard")
                .option(PostgresqlConnectionFactoryProvider.STATEMENT_TIMEOUT, STATEMENT_TIMEOUT)
                .option(PostgresqlConnectionFactoryProvider.FORCE_BINARY, true)
                .option(PostgresqlConnectionFactoryProvider.OPTIONS, PLANNED_ONCE);
        String sslMode = url.sslMode();
        if (sslMode != null) {
            options.option(PostgresqlConnectionFactoryProvider.SSL_MODE, SSLMode.fromValue(sslMode));
        }
        return options.build();
    }

    /** Quartz knows JDBC only. Nobody else uses this: the service's own data access is R2DBC. */
    @Bean
    @QuartzDataSource
    DataSource quartzDataSource(OpenDatabase database) {
        HikariDataSource source = new HikariDataSource();
        source.setJdbcUrl(database.url().jdbc());
        source.setUsername(database.url().user());
        source.setPassword(database.url().password());
        source.setMaximumPoolSize(QUARTZ_CONNECTIONS);
        source.setMinimumIdle(1);
        source.setPoolName("quartz");
        return source;
    }
}
