/**
 * Who sees what was measured on a machine or in a workspace: the strictest of what its owner said, the workspace and an
 * administrator's hiding ({@link Cover}).
 *
 * <p>{@link CoverService} settles it after a change, in one transaction. What else changes with it, ranks above all, is asked of
 * {@link VisibilityService}, which {@code recompute} implements.
 */
@NullMarked
package dev.loomboard.visibility;

import org.jspecify.annotations.NullMarked;
