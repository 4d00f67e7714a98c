package dev.loomboard.stats;

import java.util.List;

/**
 * Mean and variance, by two passes in the order given, so that a recomputation is the same to the last bit.
 *
 * @param variance of the sample (n − 1); zero for one value
 */
public record Moments(int count, double mean, double variance) {

    public static Moments of(List<Double> values, Scale scale) {
        double sum = 0;
        for (double value : values) {
            sum += scale.to(value);
        }
        double mean = sum / values.size();
        double squares = 0;
        for (double value : values) {
            double off = scale.to(value) - mean;
            squares += off * off;
        }
        return new Moments(values.size(), mean, values.size() < 2 ? 0 : squares / (values.size() - 1));
    }
}
