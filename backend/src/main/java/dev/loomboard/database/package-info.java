/**
 * Where the service's PostgreSQL comes from: a given address, or an embedded server that is as durable as a real one.
 *
 * <p>{@link DatabaseConfig} decides and hands one {@link DatabaseUrl} to R2DBC, Flyway and Quartz. {@link EmbeddedPostgres}
 * starts and stops the server in a {@link PostgresFolder} with the programs of {@link PostgresBinaries}, and {@link PostgresWatch}
 * starts it again when it dies. {@link ConnectionPools} keeps uploads, agents and people apart, and
 * {@link ListeningService} hears what the database says by itself.
 *
 * <p>It knows no table; the schema is in {@code migrations}.
 */
@NullMarked
package dev.loomboard.database;

import org.jspecify.annotations.NullMarked;
