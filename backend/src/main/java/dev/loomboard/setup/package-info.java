/**
 * The first start: the first administrator, and the operator's own token.
 *
 * <p>{@link FirstStartConfig} runs before the port opens, {@link SetupService} makes the administrator by a link that only the
 * service's output has.
 */
@NullMarked
package dev.loomboard.setup;

import org.jspecify.annotations.NullMarked;
