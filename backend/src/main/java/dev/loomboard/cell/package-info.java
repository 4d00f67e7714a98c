/**
 * What was run, each shape once: every feature uses these types.
 *
 * <p>{@link CellIdentity} is made of {@link ServerVariant}, {@link Jdk}, {@link MachineRef} and {@link CellSettings} with
 * {@link Limits}; its scenario is in {@code scenario}. {@link SeriesKey} is the canonical text of what stays the same along a
 * history. The enums are states: {@link RunState}, {@link TrialState}, {@link TrialKind}, {@link Standing},
 * {@link Visibility}. The {@code *Sql} classes hold the shared parts of queries.
 *
 * <p>Plain Java but for the shared SQL. It must not know what was measured, or any feature.
 */
@NullMarked
package dev.loomboard.cell;

import org.jspecify.annotations.NullMarked;
