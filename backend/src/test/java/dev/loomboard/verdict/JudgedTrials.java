package dev.loomboard.verdict;

import dev.loomboard.cell.TrialState;
import dev.loomboard.measurement.Validity;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Trials of two cells of a run, to be judged without a database. */
final class JudgedTrials {

    static final String METRIC = DeclaredTest.CPU;
    static final String SCENARIO = "io@1?delayMs=100;constant:rate=300,seconds=12";
    static final double[] STILL = {100, 101, 99, 100.5, 99.5, 100.2, 99.8};
    /** A family of one test: cell 2 against cell 1. */
    static final List<Judge.Test> ONE = List.of(new Judge.Test(7, TestDimension.JDK, 1, 2, METRIC, SCENARIO));

    private JudgedTrials() {}

    static Outcome one(List<RunTrial> trials) {
        return Judge.of(ONE, trials).getFirst();
    }

    static List<RunTrial> sides(double[] baseline, double[] candidate) {
        List<RunTrial> trials = new ArrayList<>(cell(1, baseline));
        trials.addAll(cell(2, candidate));
        return trials;
    }

    /** Valid trials of one build on one host, under one lease. */
    static List<RunTrial> cell(long cell, double[] values) {
        return IntStream.range(0, values.length)
                .mapToObj(i -> new RunTrial(
                        cell,
                        i + 1,
                        1,
                        TrialState.DONE,
                        Validity.VALID,
                        null,
                        "digest",
                        "host",
                        Map.of(METRIC, new RunTrial.Value(values[i], true, null))))
                .toList();
    }

    static RunTrial ofBuild(RunTrial trial, String serverDigest) {
        return new RunTrial(
                trial.cell(),
                trial.ordinal(),
                trial.fencing(),
                trial.state(),
                trial.validity(),
                trial.steady(),
                serverDigest,
                trial.fingerprint(),
                trial.metrics());
    }

    static RunTrial with(RunTrial trial, long fencing, TrialState state, @Nullable Validity validity) {
        return new RunTrial(
                trial.cell(), trial.ordinal(), fencing, state, validity, null, "digest", "host", trial.metrics());
    }

    static double[] times(double[] values, double factor) {
        double[] times = values.clone();
        for (int i = 0; i < times.length; i++) {
            times[i] *= factor;
        }
        return times;
    }
}
