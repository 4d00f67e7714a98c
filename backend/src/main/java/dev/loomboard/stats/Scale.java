package dev.loomboard.stats;

/** Where means and intervals of a metric are made, as the metric catalogue declares it. */
public enum Scale {
    /** Natural logarithm: means are geometric, effects are ratios. For what is positive. */
    LN {
        @Override
        double to(double value) {
            return StrictMath.log(value);
        }

        @Override
        double from(double scaled) {
            return StrictMath.exp(scaled);
        }
    },
    /** As it is: for what can be zero. */
    IDENTITY {
        @Override
        double to(double value) {
            return value;
        }

        @Override
        double from(double scaled) {
            return scaled;
        }
    };

    abstract double to(double value);

    abstract double from(double scaled);

    public static Scale of(String name) {
        return switch (name) {
            case "ln" -> LN;
            case "identity" -> IDENTITY;
            default -> throw new IllegalArgumentException("scale must be ln or identity, is: " + name);
        };
    }
}
