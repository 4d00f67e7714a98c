package dev.loomboard.kit;

import dev.loomboard.verdict.DeclaredTest;
import dev.loomboard.verdict.TestDimension;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.transaction.reactive.TransactionalOperator;

/**
 * Runs of one build whose cells differ in the variant alone, in seven blocks each, uploaded, rolled up and judged:
 * {@code slow} takes half as much again over the declared delay as {@code first}, {@code same} takes as much.
 */
public final class VariantBlocks {

    public static final int TRIALS = 7;
    private static final List<String> METRICS =
            List.of("response_excess_p50_ms", "response_excess_p99_ms", "cpu_us_per_request", "rss_mib");
    private static final double[] STILL = {0, 0.2, 0.1, 0.3, 0, 0.2, 0.1};
    private static final Duration TIMEOUT = Duration.ofMinutes(2);

    /** Of the runs, in order. */
    public final List<String> runs = new ArrayList<>();

    /** Of the first run's cells, in order: first, slow, same. */
    public final List<String> cells = new ArrayList<>();

    public final String jdk;
    private final DatabaseClient database;
    private final JudgedRuns judged;
    private final Bench bench;
    private final String name;
    private final long build;

    /** @param name of the machine and in the names of the build, variants and scenario: another for each */
    public VariantBlocks(DatabaseClient database, TransactionalOperator transaction, String name) {
        this.database = database;
        this.name = name;
        judged = new JudgedRuns(database, transaction, name);
        bench = judged.bench;
        jdk = name + "-25";
        build = bench.jdk(jdk, 25, 1);
    }

    /** As addresses have it. */
    public String side(String variant) {
        return "spring-mvc/" + name + "-" + variant;
    }

    /** A run that has ended. */
    public VariantBlocks run(String visibility) {
        long run = bench.newRun(visibility);
        List<Bench.Cell> made = List.of(cell(run, "first", 0), cell(run, "slow", 1), cell(run, "same", 2));
        List<DeclaredTest> tests = new ArrayList<>();
        for (int candidate = 1; candidate <= 2; candidate++) {
            for (String metric : METRICS) {
                tests.add(new DeclaredTest(TestDimension.SERVER, 0, candidate, metric));
            }
        }
        judged.declare(run, tests);
        List<Long> measured = new ArrayList<>();
        for (int i = 0; i < TRIALS; i++) {
            measured.add(measure(made.get(0), i, 120 + STILL[i]));
            measured.add(measure(made.get(1), i, 130 + STILL[(i + 1) % TRIALS]));
            measured.add(measure(made.get(2), i, 120 + STILL[(i + 2) % TRIALS]));
        }
        judged.rollUp(measured);
        judged.end(run, "done");
        runs.add(database.sql("select external_id from run where run_id = " + run)
                .map(row -> String.valueOf(row.get("external_id", String.class)))
                .one()
                .blockOptional(TIMEOUT)
                .orElseThrow());
        made.forEach(cell -> cells.add(cell.external()));
        return this;
    }

    private Bench.Cell cell(long run, String variant, int ordinal) {
        Bench.Cell cell = bench.cell(
                run,
                build,
                new Bench.Point("io@1?delayMs=100&kind=" + name + ";constant:rate=300,seconds=12", ordinal, "{}"));
        judged.execute("update cell set variant = '" + name + "-" + variant + "' where cell_id = " + cell.id());
        return cell;
    }

    private long measure(Bench.Cell cell, int block, double millis) {
        Bench.Trial trial = bench.planned(cell, "scored", block + 1, 1);
        bench.measured(trial, millis, "valid");
        return trial.id();
    }
}
