package dev.loomboard.cli;

import dev.loomboard.catalog.Metrics;
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
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

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

    private static List<Cell> cells(Path file) {
        JsonNode run;
        try {
            run = JsonMapper.builder().build().readTree(Files.readAllBytes(file));
        } catch (NoSuchFileException e) {
            throw new IllegalArgumentException("there is no file " + file, e);
        } catch (IOException | JacksonException e) {
            throw new IllegalArgumentException("cannot read " + file + ": " + e.getMessage(), e);
        }
        if (!run.path("schema").asString("").equals(SCHEMA)) {
            throw new IllegalArgumentException(file + " is not " + SCHEMA + ", which /runs/….json gives");
        }
        List<Cell> cells = new ArrayList<>();
        run.path("cells").forEach(cell -> cells.add(cell(cell)));
        return cells;
    }

    private static Cell cell(JsonNode cell) {
        List<RunTrial> trials = new ArrayList<>();
        for (JsonNode trial : cell.path("trials")) {
            RunTrial read = new RunTrial(
                    0,
                    trial.path("ordinal").asInt(),
                    0,
                    trial.path("state").asString(""),
                    trial.path("validity").asStringOpt().orElse(null),
                    null,
                    null,
                    null,
                    values(trial));
            if (trial.path("kind").asString("").equals("scored") && read.spoilt() == null) {
                trials.add(read);
            }
        }
        String name =
                cell.path("server").asString("") + " " + cell.path("variant").asString("") + ", "
                        + cell.path("scenario").path("key").asString("") + ", "
                        + cell.path("jdk").path("slug").asString("");
        return new Cell(name, trials);
    }

    private static Map<String, RunTrial.Value> values(JsonNode trial) {
        Map<String, RunTrial.Value> values = new HashMap<>();
        for (String metric : METRICS) {
            JsonNode reading = trial.path("readings").path(metric);
            if (reading.path("mean").isNumber() && reading.path("eligible").asBoolean(false)) {
                values.put(metric, new RunTrial.Value(reading.path("mean").asDouble(), true, null));
            }
        }
        return values;
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
