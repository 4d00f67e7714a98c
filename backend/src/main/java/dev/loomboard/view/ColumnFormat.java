package dev.loomboard.view;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How one column is written: one unit and one number of decimals for all its rows, so that the eye can compare.
 *
 * @param unit as printed in the column's head
 * @param factor from the metric's own unit to this one
 */
public record ColumnFormat(String unit, double factor, int decimals) {

    private static final double BELOW_THIS_MICROSECONDS = 1.0;
    /** Histograms keep three digits and a bit: a fourth is the last that means anything. */
    private static final int MOST_SIGNIFICANT = 4;

    private static final double DIFFERENCES_SHOWN = 10;

    /** For a metric of the catalogue; milliseconds become µs when the whole column is below one. */
    public static ColumnFormat of(String unit, Collection<@Nullable Double> values) {
        List<Double> known =
                values.stream().filter(Objects::nonNull).map(v -> Math.abs(v)).toList();
        double most = known.stream().mapToDouble(v -> v).max().orElse(0);
        boolean micros = unit.equals("ms") && !known.isEmpty() && most < BELOW_THIS_MICROSECONDS;
        double factor = micros ? 1000 : 1;
        double least =
                known.stream().mapToDouble(v -> v).filter(v -> v > 0).min().orElse(0);
        return new ColumnFormat(micros ? "µs" : unit, factor, decimals(unit, least * factor, most * factor));
    }

    private static int decimals(String unit, double least, double most) {
        if (unit.equals("count") && most >= DIFFERENCES_SHOWN) {
            return 0;
        }
        int forLeast = Format.decimalsFor(least);
        double spread = most - least;
        int forSpread = spread > 0 ? Math.max(0, (int) Math.ceil(-Math.log10(spread / DIFFERENCES_SHOWN))) : 0;
        int meaningful = most > 0 ? Math.max(0, MOST_SIGNIFICANT - 1 - (int) Math.floor(Math.log10(most))) : 0;
        return Math.min(meaningful, Math.max(forLeast, forSpread));
    }

    public String text(double value) {
        return Format.decimals(value * factor, decimals);
    }

    /** Two significant digits: one launch is known to no more. */
    public String rough(double value) {
        BigDecimal two = BigDecimal.valueOf(value * factor).round(new MathContext(2));
        return Format.decimals(two.doubleValue(), Math.max(0, two.signum() == 0 ? 0 : two.scale()));
    }

    public String range(double low, double high) {
        return text(low) + "\u2009–\u2009" + text(high);
    }
}
