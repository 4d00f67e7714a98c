package dev.loomboard.server.webflux;

import org.springframework.boot.context.properties.ConfigurationProperties;

/**
 * The database that workloads ask. A server that is not told of one opens no connection and does not have those
 * workloads.
 *
 * @param address host:port/name
 * @param connections in the pool, all of them open
 */
@ConfigurationProperties("loomboard.database")
record DatabaseSettings(String address, String user, String password, int connections) {}
