/**
 * Which trials a lease makes, and which of them are made again or further.
 *
 * <p>{@link Plan} lists the trials of a lease, which an {@link Assignment} sends to the agent; {@link SpoiltBlocks} decides which
 * blocks are repeated. {@code run} asks it under the run's lock.
 */
@NullMarked
package dev.loomboard.plan;

import org.jspecify.annotations.NullMarked;
