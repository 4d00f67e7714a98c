/**
 * The service and its commands: {@link LoomboardApplication} starts one or the other by the first word of its arguments.
 *
 * <p>The packages are listed from the ground up in {@code backend/README.md}. Each says in its own {@code package-info} what
 * it is for, which classes to read first, and what it must not know; the reasons are in the {@code RATIONALE.md} beside it,
 * where it needs one.
 */
@NullMarked
package dev.loomboard;

import org.jspecify.annotations.NullMarked;
