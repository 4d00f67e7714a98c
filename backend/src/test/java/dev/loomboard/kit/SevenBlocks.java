package dev.loomboard.kit;

import dev.loomboard.verdict.DeclaredTest;
import dev.loomboard.verdict.TestDimension;
import java.util.ArrayList;
import java.util.List;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.transaction.reactive.TransactionalOperator;

/**
 * A run of seven blocks on two builds, uploaded, rolled up and judged: a cell that is slower by half, one that is
 * equivalent, one that is too noisy to tell, and one that lost three trials on one side.
 */
public final class SevenBlocks {

    public static final int TRIALS = 7;
    private static final int LOST = 3;

    private static final double[] STILL = {0, 0.2, 0.1, 0.3, 0, 0.2, 0.1};
    private static final double[] CALM = {0.1, 0.1, 0.2, 0.2, 0.1, 0.1, 0.2};
    private static final double[] WILD = {-1, 1.5, -0.5, 1.5, -1.5, 1, 0.5};

    public final String baseline;
    public final String candidate;
    public final long run;

    private final JudgedRuns runs;
    private final Bench bench;
    private final String name;
    private final List<DeclaredTest> tests = new ArrayList<>();
    private final List<Bench.Cell> cells = new ArrayList<>();

    /** @param name of the machine, and in the builds' and scenarios' names: another for each */
    public SevenBlocks(DatabaseClient database, TransactionalOperator transaction, String name, String visibility) {
        this.name = name;
        runs = new JudgedRuns(database, transaction, name);
        bench = runs.bench;
        baseline = name + "-25";
        candidate = name + "-26";
        run = bench.newRun(visibility);
        long old = bench.jdk(baseline, 25, 1);
        long young = bench.jdk(candidate, 26, 1);
        for (String scenario : List.of("slower", "equivalent", "noisy", "lossy")) {
            int ordinal = cells.size();
            cells.add(bench.cell(run, old, new Bench.Point(scenario(scenario), ordinal, "{}")));
            cells.add(bench.cell(run, young, new Bench.Point(scenario(scenario), ordinal + 1, "{}")));
            for (String metric :
                    List.of("response_excess_p50_ms", "response_excess_p99_ms", "cpu_us_per_request", "rss_mib")) {
                tests.add(new DeclaredTest(TestDimension.JDK, ordinal, ordinal + 1, metric));
            }
        }
        runs.declare(run, tests);
        measure(cells.get(0), cells.get(1), STILL, CALM, 10);
        measure(cells.get(2), cells.get(3), STILL, CALM, 0);
        measure(cells.get(4), cells.get(5), STILL, WILD, 0);
        List<Bench.Trial> lossy = measure(cells.get(6), cells.get(7), STILL, CALM, 0);
        runs.rollUp(lossy.subList(0, LOST).stream()
                .map(lost -> bench.ended(lost, "done", "invalid").id())
                .toList());
    }

    /** Cells are told apart by it. */
    public String scenario(String kind) {
        return "io@1?delayMs=100&kind=" + name + "-" + kind + ";constant:rate=300,seconds=12";
    }

    public SevenBlocks end(String state) {
        runs.end(run, state);
        return this;
    }

    /** Makes the blocks with a lost trial again, whole and under a second lease. */
    public SevenBlocks repeatLost() {
        List<Long> ended = new ArrayList<>();
        for (int i = 0; i < LOST; i++) {
            Bench.Trial one = bench.planned(cells.get(6), "scored", i + 1, 2);
            Bench.Trial other = bench.planned(cells.get(7), "scored", i + 1, 2);
            bench.measured(one, 120 + STILL[i], "valid");
            bench.measured(other, 120 + CALM[i], "valid");
            ended.addAll(List.of(one.id(), other.id()));
        }
        runs.rollUp(ended);
        return this;
    }

    public void recompute() {
        runs.recompute(run);
    }

    public int familySize() {
        return tests.size();
    }

    /** Gives the candidate's trials. Medians are 120 ms and, of the candidate, {@code more}. */
    private List<Bench.Trial> measure(Bench.Cell a, Bench.Cell b, double[] of, double[] against, double more) {
        List<Bench.Trial> candidates = new ArrayList<>();
        List<Long> ended = new ArrayList<>();
        for (int i = 0; i < TRIALS; i++) {
            Bench.Trial one = bench.planned(a, "scored", i + 1, 1);
            Bench.Trial other = bench.planned(b, "scored", i + 1, 1);
            bench.measured(one, 120 + of[i], "valid");
            bench.measured(other, 120 + more + against[i], "valid");
            ended.addAll(List.of(one.id(), other.id()));
            candidates.add(other);
        }
        runs.rollUp(ended);
        return candidates;
    }
}
