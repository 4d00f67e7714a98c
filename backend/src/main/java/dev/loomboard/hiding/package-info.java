/**
 * What administrators hide from others: runs, machines and workspaces, while they are looked into.
 *
 * <p>{@link HidingPages} is the list and its forms, {@link HidingService} hides and shows again, by {@code machine.CoverService},
 * which makes visibility and ranks what they then must be. {@code kernel.VisibleSql} lets administrators see what is hidden.
 *
 * <p>What is wrong is retracted instead: see {@code retraction}. Nothing depends on this package.
 */
@NullMarked
package dev.loomboard.hiding;

import org.jspecify.annotations.NullMarked;
