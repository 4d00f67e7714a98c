/**
 * How much a workspace may have: stored measurements and artefacts, machines, runs that wait, matrices, schedules.
 *
 * <p>{@link QuotaService} is asked by who adds something, in the transaction of that, and by pages; {@link Quota} is what is
 * used of what is allowed, and its words. {@link QuotaDefaults} are settings, which {@code workspace_limit} may overrule
 * for one workspace.
 *
 * <p>It knows no feature: its callers say how much of what they add.
 */
@NullMarked
package dev.loomboard.quota;

import org.jspecify.annotations.NullMarked;
