/**
 * Which JDK builds a machine's agent must keep, and bring again if they are gone: those of searches and reruns under way, the
 * controls of schedules, and what their matrices name as a baseline.
 *
 * <p>Read {@link NeededBuildStore} first. Nothing depends on this package.
 */
@NullMarked
package dev.loomboard.neededbuild;

import org.jspecify.annotations.NullMarked;
