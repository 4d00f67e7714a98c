/**
 * What the operator needs, as {@code OPERATING.md} has it: figures for Prometheus, health, TLS, and what a failed start means.
 *
 * <p>{@link OperationConfig} makes the registry; {@link OperationApi} writes it, after {@link OperationService} has looked
 * into the database. The parts of the service register figures of their own: the HTTP edge in {@code limits.RequestConfig},
 * uploads in {@code ingest}, watchers and waiting agents in {@code run}.
 *
 * <p>Figures are no metrics in the glossary's sense: those are what was measured of servers.
 */
@NullMarked
package dev.loomboard.operation;

import org.jspecify.annotations.NullMarked;
