package dev.loomboard.server.webflux;

import io.r2dbc.pool.ConnectionPool;
import io.r2dbc.pool.ConnectionPoolConfiguration;
import io.r2dbc.spi.ConnectionFactories;
import io.r2dbc.spi.ConnectionFactoryOptions;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

@Configuration(proxyBeanMethods = false)
@ConditionalOnProperty("loomboard.database.address")
@EnableConfigurationProperties(DatabaseSettings.class)
class DatabaseConfig {

    @Bean(destroyMethod = "dispose")
    ConnectionPool database(DatabaseSettings settings) {
        var options = ConnectionFactoryOptions.parse("r2dbc:postgresql://" + settings.address())
                .mutate()
                .option(ConnectionFactoryOptions.USER, settings.user())
                .option(ConnectionFactoryOptions.PASSWORD, settings.password())
                .build();
        return new ConnectionPool(ConnectionPoolConfiguration.builder(ConnectionFactories.get(options))
                .initialSize(settings.connections())
                .maxSize(settings.connections())
                .build());
    }
}
