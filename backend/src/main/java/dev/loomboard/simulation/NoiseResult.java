package dev.loomboard.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.BinaryOperator;

/** All that was played with one kind of noise. */
public record NoiseResult(
        Noise noise,
        QuietYear year,
        List<Detection> detections,
        List<RerunPower> power,
        List<Calibration> calibrations) {

    /** The series of this index: its random numbers depend on nothing else, so neither on how many are played nor on threads. */
    static NoiseResult one(SimulationSetup scenario, Noise noise, long seed, int index) {
        SimulatedSeries series = new SimulatedSeries(scenario, noise);
        List<Detection> detections = new ArrayList<>();
        for (SimulationSetup.Slowdown slowdown : scenario.slowdowns()) {
            detections.add(series.detection(slowdown, random(seed, noise.ordinal(), index, 1 + detections.size())));
        }
        List<Calibration> calibrations = new ArrayList<>();
        for (int blocks : scenario.comparisons().blocks()) {
            calibrations.add(
                    Calibration.of(scenario, noise, blocks, random(seed, noise.ordinal(), index, 100 + blocks)));
        }
        return new NoiseResult(
                noise,
                series.year(random(seed, noise.ordinal(), index, 0)),
                detections,
                RerunPower.of(
                        scenario,
                        noise,
                        random(seed, noise.ordinal(), index, 50),
                        random(seed, noise.ordinal(), index, 51)),
                calibrations);
    }

    /** Java specifies what {@code Random} gives for a seed; seeds that are near each other are first thrown far apart. */
    static Random random(long seed, int kind, int index, int part) {
        long mixed = mixed(mixed(mixed(mixed(seed) + kind) + index) + part);
        return new Random(mixed);
    }

    /** Steele, Lea and Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014: the step and its finaliser. */
    private static long mixed(long value) {
        long z = value + 0x9e3779b97f4a7c15L;
        z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
        z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
        return z ^ (z >>> 31);
    }

    NoiseResult plus(NoiseResult other) {
        return new NoiseResult(
                noise,
                year.plus(other.year),
                pairwise(detections, other.detections, Detection::plus),
                pairwise(power, other.power, RerunPower::plus),
                pairwise(calibrations, other.calibrations, Calibration::plus));
    }

    static <T> List<T> pairwise(List<T> one, List<T> two, BinaryOperator<T> plus) {
        List<T> both = new ArrayList<>();
        for (int i = 0; i < one.size(); i++) {
            both.add(plus.apply(one.get(i), two.get(i)));
        }
        return both;
    }
}
