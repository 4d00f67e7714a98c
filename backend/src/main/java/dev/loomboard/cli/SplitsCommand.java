package dev.loomboard.cli;

import dev.loomboard.catalog.Metrics;
import dev.loomboard.cell.TrialKind;
import dev.loomboard.cell.TrialState;
import dev.loomboard.measurement.StoredJson;
import dev.loomboard.measurement.Validity;
import dev.loomboard.stats.Verdict;
import dev.loomboard.verdict.AaSplits;
import dev.loomboard.verdict.DeclaredTest;
import dev.loomboard.verdict.RunTrial;
import dev.loomboard.view.Format;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.core.JacksonException;

/**
 * How often the verdicts are wrong on measured trials of equal cells. FILE is a run's JSON twin. It starts nothing of the
 * service.
 */
@Command(
        name = "splits",
        customSynopsis = "splits FILE [--splits=10000] [--side=5] [--seed=20261121]",
        description =
                "Splits the trials of each cell of a run at random and prints how often the verdicts call them different.")
final class SplitsCommand extends CliCommand {

    private static final String SCHEMA = "loomboard.run/1";
    private static final List<String> METRICS = List.of(
            DeclaredTest.EXCESS_P50,
            DeclaredTest.EXCESS_P99,
            DeclaredTest.THROUGHPUT,
            DeclaredTest.CPU,
            DeclaredTest.MEMORY);

    private final PrintStream out;

    @Parameters(paramLabel = "FILE", converter = InputFile.class, description = "A run, as /runs/….json gives it.")
    private Path file = Path.of("");

    @Option(names = "--splits", converter = PositiveNumber.class, description = "Random splits of each cell.")
    private int splits = 10_000;

    @Option(names = "--side", converter = PositiveNumber.class, description = "Trials that each side gets.")
    private int side = 5;

    @Option(names = "--seed", converter = PositiveNumber.class, description = "The same splits for the same seed.")
    private int seed = 20_261_121;

    /** @param trials scored ones that may stand in a block */
    private record Cell(String name, List<RunTrial> trials) {}

    SplitsCommand(PrintStream out) {
        this.out = out;
    }

    @Override
    public Integer call() {
        try {
            cells(file).forEach(this::print);
            return 0;
        } catch (IllegalArgumentException e) {
            throw refused(String.valueOf(e.getMessage()));
        }
    }

    /** What it reads of a run's JSON twin. */
    private record Twin(String schema, List<TwinCell> cells) {}

    private record TwinCell(String server, String variant, Scenario scenario, Build jdk, List<TwinTrial> trials) {
        Cell cell() {
            return new Cell(
                    server + " " + variant + ", " + scenario.key() + ", " + jdk.slug(),
                    trials.stream()
                            .filter(trial -> trial.kind() == TrialKind.SCORED)
                            .map(TwinTrial::read)
                            .filter(trial -> trial.spoilt() == null)
                            .toList());
        }
    }

    private record Scenario(String key) {}

    private record Build(String slug) {}

    private record TwinTrial(
            TrialKind kind,
            int ordinal,
            TrialState state,
            @Nullable Validity validity,
            Map<String, Reading> readings) {
        RunTrial read() {
            Map<String, RunTrial.Value> values = new HashMap<>();
            for (String metric : METRICS) {
                Reading reading = readings.get(metric);
                if (reading != null && reading.mean() != null && reading.eligible()) {
                    values.put(metric, new RunTrial.Value(reading.mean(), true, null));
                }
            }
            return new RunTrial(0, ordinal, 0, state, validity, null, null, null, values);
        }
    }

    private record Reading(@Nullable Double mean, boolean eligible) {}

    private static List<Cell> cells(Path file) {
        try {
            Twin run = StoredJson.read(Files.readString(file), Twin.class);
            if (!SCHEMA.equals(run.schema())) {
                throw new IllegalArgumentException(file + " is not " + SCHEMA + ", which /runs/….json gives");
            }
            return run.cells().stream().map(TwinCell::cell).toList();
        } catch (NoSuchFileException e) {
            throw new IllegalArgumentException("there is no file " + file, e);
        } catch (IOException | JacksonException e) {
            throw new IllegalArgumentException("cannot read " + file + ": " + e.getMessage(), e);
        }
    }

    private void print(Cell cell) {
        int least = 2 * side;
        List<String> metrics = METRICS.stream()
                .filter(metric -> cell.trials.stream()
                                .filter(t -> t.unusable(metric) == null)
                                .count()
                        >= least)
                .toList();
        out.println(cell.name + ": " + Format.of(cell.trials.size(), "usable trial"));
        if (metrics.isEmpty()) {
            out.println("  no metric has the " + least + " usable values that two sides need");
            return;
        }
        List<RunTrial> trials = cell.trials.stream()
                .filter(t -> metrics.stream().allMatch(m -> t.unusable(m) == null))
                .toList();
        AaSplits result = AaSplits.of(trials, metrics, splits, side, seed);
        out.printf(
                Locale.ROOT,
                "  %d trials with all of %d metrics, %d random splits %d against %d; at least one metric wrong in %d (%.2f %%)%n",
                trials.size(),
                metrics.size(),
                splits,
                side,
                side,
                result.wrong(),
                100.0 * result.wrong() / splits);
        for (String metric : metrics) {
            out.printf(
                    Locale.ROOT,
                    "  %-28s faster %5d  slower %5d  equivalent %5d  inconclusive %5d  false %.2f %%%n",
                    Metrics.all().get(metric).title(),
                    result.of(metric, Verdict.FASTER),
                    result.of(metric, Verdict.SLOWER),
                    result.of(metric, Verdict.EQUIVALENT),
                    result.of(metric, Verdict.INCONCLUSIVE),
                    100 * result.falsely(metric));
        }
    }
}
