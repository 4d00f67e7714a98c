package dev.loomboard.stats;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Locale;

/** Where means and intervals of a metric are made, as the metric catalogue declares it. */
public enum Scale {
    /** Natural logarithm: means are geometric, effects are ratios. For what is positive. */
    @JsonProperty("ln")
    LN {
        @Override
        public double to(double value) {
            return StrictMath.log(value);
        }

        @Override
        public double from(double scaled) {
            return StrictMath.exp(scaled);
        }
    },
    /** As it is: for what can be zero. */
    @JsonProperty("identity")
    IDENTITY {
        @Override
        public double to(double value) {
            return value;
        }

        @Override
        public double from(double scaled) {
            return scaled;
        }
    };

    public abstract double to(double value);

    public abstract double from(double scaled);

    /** As the metric catalogue writes it. */
    public String wire() {
        return name().toLowerCase(Locale.ROOT);
    }
}
