package dev.loomboard.verdict;

import dev.loomboard.catalog.Metrics;
import dev.loomboard.stats.Verdict;
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
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The command {@code splits FILE [--splits=10000] [--side=5] [--seed=N]}: how often the verdicts are wrong on measured trials
 * of equal cells. FILE is a run's JSON twin. It starts nothing of the service.
 */
public final class SplitsCommand {

    private static final int BAD_INPUT = 2;
    private static final String SCHEMA = "loomboard.run/1";
    private static final List<String> METRICS = List.of(
            DeclaredTest.EXCESS_P50,
            DeclaredTest.EXCESS_P99,
            DeclaredTest.THROUGHPUT,
            DeclaredTest.CPU,
            DeclaredTest.MEMORY);
    private static final String USAGE = "usage: splits FILE [--splits=10000] [--side=5] [--seed=20261121]";

    private record Options(int splits, int side, long seed) {}

    /** @param trials scored ones that may stand in a block */
    private record Cell(String name, List<RunTrial> trials) {}

    private SplitsCommand() {}

    /** @return the exit code: 2 when the options or the file are not what they must be */
    public static int run(List<String> arguments, PrintStream out, PrintStream err) {
        try {
            if (arguments.isEmpty() || arguments.getFirst().isBlank()) {
                throw new IllegalArgumentException(USAGE);
            }
            Options options = options(arguments.subList(1, arguments.size()));
            for (Cell cell : cells(Path.of(arguments.getFirst()))) {
                print(cell, options, out);
            }
            out.flush();
            return 0;
        } catch (IllegalArgumentException e) {
            err.println("splits: " + e.getMessage());
            return BAD_INPUT;
        }
    }

    private static Options options(List<String> arguments) {
        Options options = new Options(10_000, 5, 20_261_121);
        for (String argument : arguments) {
            String[] parts = argument.split("=", 2);
            String value = parts.length == 2 ? parts[1] : "";
            if (!value.matches("[1-9]\\d{0,8}")) {
                throw new IllegalArgumentException(argument + ": not a whole number from 1; " + USAGE);
            }
            int number = Integer.parseInt(value);
            options = switch (parts[0]) {
                case "--splits" -> new Options(number, options.side, options.seed);
                case "--side" -> new Options(options.splits, number, options.seed);
                case "--seed" -> new Options(options.splits, options.side, number);
                default -> throw new IllegalArgumentException(argument + " is not an option; " + USAGE);
            };
        }
        return options;
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

    private static void print(Cell cell, Options options, PrintStream out) {
        int least = 2 * options.side;
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
        AaSplits splits = AaSplits.of(trials, metrics, options.splits, options.side, options.seed);
        out.printf(
                Locale.ROOT,
                "  %d trials with all of %d metrics, %d random splits %d against %d; at least one metric wrong in %d (%.2f %%)%n",
                trials.size(),
                metrics.size(),
                options.splits,
                options.side,
                options.side,
                splits.wrong(),
                100.0 * splits.wrong() / options.splits);
        for (String metric : metrics) {
            out.printf(
                    Locale.ROOT,
                    "  %-28s faster %5d  slower %5d  equivalent %5d  inconclusive %5d  false %.2f %%%n",
                    Metrics.all().get(metric).title(),
                    splits.of(metric, Verdict.FASTER),
                    splits.of(metric, Verdict.SLOWER),
                    splits.of(metric, Verdict.EQUIVALENT),
                    splits.of(metric, Verdict.INCONCLUSIVE),
                    100 * splits.falsely(metric));
        }
    }
}
