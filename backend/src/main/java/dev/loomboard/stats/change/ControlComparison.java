package dev.loomboard.stats.change;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.loomboard.stats.Margin;
import dev.loomboard.stats.Moments;
import dev.loomboard.stats.Ratio;
import dev.loomboard.stats.Scale;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * What a control did while a candidate changed ({@code /methodology#histories}): both ran in the same nights, and the control's build
 * stayed. The host is judged by candidate ÷ control, night by night, on the ln scale: what a night did to both falls out of it,
 * and its interval holds the variance of both. Nights count as independent of each other, because what one hands on to the next
 * is the host's, which falls out too.
 *
 * @param before nights of the level before
 * @param after of the new one
 * @param itself the control: new level ÷ level before
 * @param moved whether it did
 * @param against the same of candidate ÷ control
 * @param left what that leaves of the change
 * @param test of candidate ÷ control: by it alone a history may confirm
 */
public record ControlComparison(
        int before, int after, Interval itself, Moved moved, Interval against, Left left, Confirmation test) {

    /** Nights that each level needs. */
    public static final int LEAST = 3;

    public enum Moved {
        /** Whatever it did is less than matters. */
        @JsonProperty("still")
        STILL,
        /** It did, by what matters. */
        @JsonProperty("moved")
        MOVED,
        @JsonProperty("unclear")
        UNCLEAR;

        public static Moved of(String word) {
            return valueOf(word.toUpperCase(Locale.ROOT));
        }
    }

    public enum Left {
        /** The change, in its direction and by what matters. */
        @JsonProperty("remains")
        REMAINS,
        /** Less in its direction than matters. */
        @JsonProperty("gone")
        GONE,
        @JsonProperty("unclear")
        UNCLEAR;

        public static Left of(String word) {
            return valueOf(word.toUpperCase(Locale.ROOT));
        }
    }

    /** A ratio with Welch's 95 % interval. */
    public record Interval(double ratio, double low, double high) {}

    /** One night, in the metric's unit. */
    public record Night(double candidate, double control) {}

    /**
     * @param up the candidate's change is one to larger values
     * @return empty: too few nights, or something that has no ratio
     */
    public static Optional<ControlComparison> of(Margin margin, boolean up, List<Night> before, List<Night> after) {
        if (margin.scale() != Scale.LN || before.size() < LEAST || after.size() < LEAST) {
            return Optional.empty();
        }
        Optional<Interval> itself = interval(controls(before), controls(after));
        Optional<Interval> against = interval(ratios(before), ratios(after));
        if (itself.isEmpty() || against.isEmpty()) {
            return Optional.empty();
        }
        double ofControl = margin.between(mean(controls(before)), mean(controls(after)));
        double ofCandidate = margin.between(mean(candidates(before)), mean(candidates(after)));
        return Optional.of(new ControlComparison(
                before.size(),
                after.size(),
                itself.get(),
                moved(itself.get(), ofControl),
                against.get(),
                left(against.get(), ofCandidate, up),
                Confirmation.of(margin, ratios(before), ratios(after), 0)));
    }

    /** Both levels have the nights that a test needs. */
    public boolean tells() {
        return before >= Confirmation.LEAST_POINTS && after >= Confirmation.LEAST_POINTS;
    }

    /** The change is there against the control, in its direction, beyond chance and by what matters. */
    public boolean confirms() {
        return left == Left.REMAINS && test.confirmed();
    }

    /** The control moved along, and against it nothing that matters is left: the host did it. */
    public boolean pointsToHost() {
        return left == Left.GONE && moved == Moved.MOVED;
    }

    private static Moved moved(Interval itself, double matters) {
        double low = StrictMath.log(itself.low());
        double high = StrictMath.log(itself.high());
        if (low >= -matters && high <= matters) {
            return Moved.STILL;
        }
        boolean off = low > 0 || high < 0;
        return off && StrictMath.abs(StrictMath.log(itself.ratio())) >= matters ? Moved.MOVED : Moved.UNCLEAR;
    }

    private static Left left(Interval against, double matters, boolean up) {
        double size = StrictMath.log(against.ratio()) * (up ? 1 : -1);
        double least = up ? StrictMath.log(against.low()) : -StrictMath.log(against.high());
        double most = up ? StrictMath.log(against.high()) : -StrictMath.log(against.low());
        if (most < matters) {
            return Left.GONE;
        }
        return least > 0 && size >= matters ? Left.REMAINS : Left.UNCLEAR;
    }

    private static double mean(List<Double> values) {
        return StrictMath.exp(Moments.of(values, Scale.LN).mean());
    }

    private static List<Double> candidates(List<Night> nights) {
        return nights.stream().map(Night::candidate).toList();
    }

    private static List<Double> controls(List<Night> nights) {
        return nights.stream().map(Night::control).toList();
    }

    /** Of a control of 0 the ratio is said to be 0, too: from what is not positive no interval is made. */
    private static List<Double> ratios(List<Night> nights) {
        return nights.stream()
                .map(n -> n.control() > 0 ? n.candidate() / n.control() : 0)
                .toList();
    }

    private static Optional<Interval> interval(List<Double> before, List<Double> after) {
        return Ratio.welch(before, after)
                .flatMap(r -> r.low() == null || r.high() == null
                        ? Optional.empty()
                        : Optional.of(new Interval(r.ratio(), r.low(), r.high())));
    }
}
