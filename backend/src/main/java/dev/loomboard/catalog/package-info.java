/**
 * The metric catalogue: what can be measured, in which unit, which direction is better.
 *
 * <p>{@link Metrics} reads {@code backend/api/metrics.json} once; {@link Metric} is a row. A new row is all that glossary,
 * trial pages, histories and the API need; its values are made in {@code rollup}, or sampled by the agent. Comparisons show
 * what {@code verdict.DeclaredTest} lists.
 *
 * <p>Plain Java. It knows no trial, page or table.
 */
@NullMarked
package dev.loomboard.catalog;

import org.jspecify.annotations.NullMarked;
