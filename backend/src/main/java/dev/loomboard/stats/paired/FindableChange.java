package dev.loomboard.stats.paired;

import dev.loomboard.stats.Margin;
import dev.loomboard.stats.SpreadInterval;
import java.util.Optional;

/**
 * How large a change would have had to be for its verdict to be found with probability {@link Power#WANTED}, by blocks as many and as
 * spread as these. It depends on no effect that was seen: that would say nothing beside p (Hoenig and Heisey, The American
 * Statistician 2001). As a ratio − 1 on the ln scale, else in the metric's unit.
 *
 * @param size at the spread that was seen
 * @param low at the lower end of the spread's 95 % interval
 * @param high at the upper
 */
public record FindableChange(double size, double low, double high) {

    /**
     * @param level that p must be below, were it the only test
     * @return empty: no p decides at this level
     */
    static Optional<FindableChange> of(Effect effect, Margin margin, double level) {
        if (!(level > 0)) {
            return Optional.empty();
        }
        SpreadInterval spread = SpreadInterval.of(effect.spread(), effect.degrees());
        return Optional.of(new FindableChange(
                size(effect, margin, level, effect.spread()),
                size(effect, margin, level, spread.low()),
                size(effect, margin, level, spread.high())));
    }

    /**
     * The change alone.
     *
     * @param level above 0
     * @param spread of a block's difference, on the scale
     */
    public static double size(Effect effect, Margin margin, double level, double spread) {
        double least = margin.between(effect.baseline(), effect.candidate());
        double error = spread / StrictMath.sqrt(effect.blocks());
        return margin.outward(error == 0 ? least : error * Power.shift(least / error, effect.degrees(), level));
    }
}
