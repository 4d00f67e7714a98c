/**
 * Figures by which the operator watches the service, for Prometheus.
 *
 * <p>{@link OperationConfig} makes the registry; {@link OperationApi} writes it, after {@link OperationService} has looked
 * into the database. The parts of the service register figures of their own: the HTTP edge in {@code web.RequestConfig},
 * uploads in {@code ingest}, watchers and waiting agents in {@code run}. {@code OPERATING.md} says what to make of them.
 *
 * <p>They are no metrics in the glossary's sense: those are what was measured of servers.
 */
@NullMarked
package dev.loomboard.operation;

import org.jspecify.annotations.NullMarked;
