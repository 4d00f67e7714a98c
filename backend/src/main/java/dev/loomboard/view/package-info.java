/**
 * Formats, charts and badges that several pages share.
 *
 * <p>{@link Format} writes single figures, {@link ColumnFormat} a column of one measure, {@link IntervalAxis} the intervals
 * of a column; {@link Chart} is finished numbers; {@link ScenarioText} puts a scenario's key into words;
 * {@link MetricReading} is a value, absent or greyed with its reason.
 *
 * <p>Plain Java. It computes no statistic and knows no feature.
 */
@NullMarked
package dev.loomboard.view;

import org.jspecify.annotations.NullMarked;
