/**
 * Who calls, for every request, and whether the route table admits them.
 *
 * <p>{@link CallerFilter} proves the caller by a bearer secret or the session's cookie, which {@link CallerStore} looks up;
 * {@link AccessConfig} then asks the route table of {@code web}. What is not in it is refused.
 *
 * <p>It knows no feature: which rows a caller sees is decided in each store's query by {@code kernel.VisibleSql}.
 */
@NullMarked
package dev.loomboard.access;

import org.jspecify.annotations.NullMarked;
