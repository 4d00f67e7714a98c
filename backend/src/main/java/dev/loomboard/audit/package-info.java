/**
 * The append-only record of who did what.
 *
 * <p>{@link AuditEvent} is one thing that was done; {@link AuditStore} appends it in the transaction of what it records.
 * {@link AuditReadStore} reads it for the pages of {@code workspace}, as {@link AuditFilter} asks.
 *
 * <p>It knows no feature: actions and subjects are text. A detail never holds a secret.
 */
@NullMarked
package dev.loomboard.audit;

import org.jspecify.annotations.NullMarked;
