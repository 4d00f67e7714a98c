/**
 * How many connections an address may have, and how long one may be idle or slow.
 *
 * <p>{@link ConnectionConfig} sets it up: reactor-netty's own time limits, {@link AnsweredEarly} where those have a gap, and
 * {@link OpenConnections}, which closes what an address has too many of. {@link ProvenConnectionFilter} reports whose caller is
 * known, and who is not counted any more.
 *
 * <p>It depends on {@code web} and {@code kernel} alone and knows no feature.
 */
@NullMarked
package dev.loomboard.limits.connection;

import org.jspecify.annotations.NullMarked;
