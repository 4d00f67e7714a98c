package dev.loomboard.kit;

import dev.loomboard.verdict.DeclaredTest;
import dev.loomboard.verdict.TestDimension;
import java.util.ArrayList;
import java.util.List;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.transaction.reactive.TransactionalOperator;

/** Several runs of one cell on two builds, each judged by itself, on the median of the excess. */
public final class RepeatedRuns {

    /** That each run was to make. */
    public static final int BLOCKS = 4;

    private static final double[] NOISE = {0, 0.2, 0.1, 0.3, 0, 0.2};

    public final String baseline;
    public final String candidate;

    private final JudgedRuns runs;
    private final Bench bench;
    private final long old;
    private final long young;

    /** @param name of the machine, and in the builds' names */
    public RepeatedRuns(DatabaseClient database, TransactionalOperator transaction, String name) {
        runs = new JudgedRuns(database, transaction, name);
        bench = runs.bench;
        baseline = name + "-25";
        candidate = name + "-26";
        old = bench.jdk(baseline, 25, 1);
        young = bench.jdk(candidate, 26, 1);
    }

    /**
     * Medians are 120 ms, the candidate's {@code more}.
     *
     * @param blocks that are measured, of {@link #BLOCKS}
     * @return its internal key
     */
    public long run(String visibility, double more, int blocks, String state) {
        long run = bench.newRun(visibility);
        runs.execute(
                "update run set spec = spec || '{\"trials\": {\"scored\": %d, \"diagnostic\": 0}}' where run_id = %d"
                        .formatted(BLOCKS, run));
        Bench.Cell a = bench.cell(run, old, new Bench.Point(Bench.SCENARIO, 0, "{}"));
        Bench.Cell b = bench.cell(run, young, new Bench.Point(Bench.SCENARIO, 1, "{}"));
        runs.declare(run, List.of(new DeclaredTest(TestDimension.JDK, 0, 1, DeclaredTest.EXCESS_P50)));
        List<Long> ended = new ArrayList<>();
        for (int i = 0; i < blocks; i++) {
            Bench.Trial one = bench.planned(a, "scored", i + 1, 1);
            Bench.Trial other = bench.planned(b, "scored", i + 1, 1);
            ended.add(bench.measured(one, 120 + NOISE[i], "valid").id());
            ended.add(bench.measured(other, 120 + more + NOISE[i + 2], "valid").id());
        }
        runs.rollUp(ended);
        runs.end(run, state);
        return run;
    }
}
