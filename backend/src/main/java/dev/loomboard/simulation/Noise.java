package dev.loomboard.simulation;

import java.util.Random;
import java.util.function.ToDoubleFunction;

/**
 * How results vary when nothing has changed: nights, the launches of a night, and a rerun's trials in the order in which they are run.
 * In units of the spread, on the ln scale.
 */
public enum Noise {
    GAUSSIAN("Gaussian", "independent values", independent(Random::nextGaussian)),
    LOGNORMAL("Lognormal", "skewed: a few values are much slower", independent(Noise::lognormal)),
    T3("Student's t, 3 degrees", "heavy tails on both sides", independent(Noise::t3)),
    BIMODAL("Bimodal", "three in ten are in a second mode, 1.9 spreads slower", independent(Noise::bimodal)),
    AR05("AR(1), r = 0.5", "each value keeps half of the one before", autoregressive(0.5)),
    AR08("AR(1), r = 0.8", "each value keeps four fifths of the one before", autoregressive(0.8)),
    SPIKE("Spikes", "Gaussian; two in a hundred are 8 spreads slower", independent(Noise::spike)),
    DRIFT("Slow drift", "Gaussian on a wave of ±1 spread, 180 long", Noise::drift),
    MEASURED(
            "Measured",
            "residuals of real trials, cold and on a busy machine, drawn by cells of five",
            MeasuredNoise::draw);

    private static final double MODES_APART = 1.8898223650461363; // √(0.75 ÷ 0.21), for a variance of 1
    private static final double WAVE = 180;

    private final String title;
    private final String words;
    private final Process process;

    private interface Process {
        double[] draw(Random random, int count);
    }

    Noise(String title, String words, Process process) {
        this.title = title;
        this.words = words;
        this.process = process;
    }

    public String title() {
        return title;
    }

    public String words() {
        return words;
    }

    double[] draw(Random random, int count) {
        return process.draw(random, count);
    }

    private static Process independent(ToDoubleFunction<Random> one) {
        return (random, count) -> {
            double[] values = new double[count];
            for (int i = 0; i < count; i++) {
                values[i] = one.applyAsDouble(random);
            }
            return values;
        };
    }

    private static Process autoregressive(double r) {
        double fresh = StrictMath.sqrt(1 - r * r);
        return (random, count) -> {
            double[] values = new double[count];
            double value = random.nextGaussian();
            for (int i = 0; i < count; i++) {
                values[i] = value;
                value = r * value + fresh * random.nextGaussian();
            }
            return values;
        };
    }

    private static double lognormal(Random random) {
        double e = StrictMath.E;
        return (StrictMath.exp(random.nextGaussian()) - StrictMath.sqrt(e)) / StrictMath.sqrt(e * (e - 1));
    }

    private static double t3(Random random) {
        double squares = 0;
        for (int i = 0; i < 3; i++) {
            double z = random.nextGaussian();
            squares += z * z;
        }
        return random.nextGaussian() / StrictMath.sqrt(squares); // t is √3 times as much, and so is its deviation
    }

    private static double bimodal(Random random) {
        boolean second = random.nextDouble() < 0.3;
        return 0.5 * random.nextGaussian() + MODES_APART * (second ? 0.7 : -0.3);
    }

    private static double spike(Random random) {
        boolean spike = random.nextDouble() < 0.02;
        return random.nextGaussian() + (spike ? 8 : 0);
    }

    private static double[] drift(Random random, int count) {
        double start = random.nextDouble();
        double[] values = new double[count];
        for (int i = 0; i < count; i++) {
            values[i] = random.nextGaussian() + StrictMath.sin(2 * StrictMath.PI * (start + i / WAVE));
        }
        return values;
    }
}
