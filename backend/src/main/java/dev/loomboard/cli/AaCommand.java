package dev.loomboard.cli;

import dev.loomboard.catalog.Metrics;
import dev.loomboard.measurement.StoredJson;
import dev.loomboard.stats.paired.Verdict;
import dev.loomboard.verdict.AaComparisons;
import dev.loomboard.verdict.TestDimension;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;
import tools.jackson.core.JacksonException;

/**
 * How often verdicts are wrong as they are used: two homes of one build, under names of their own, measured in blocks like any
 * two builds. It prints figures and no pass mark, and starts nothing of the service.
 */
@Command(
        name = "aa",
        customSynopsis = "aa FILE [FILE …]",
        description =
                "Counts what verdicts say of two homes of one JDK build, over all cells of all runs given, with how evenly their p are spread.")
final class AaCommand extends CliCommand {

    private static final String SCHEMA = "loomboard.run-verdicts/1";

    private final PrintStream out;

    @Parameters(
            arity = "1..*",
            paramLabel = "FILE",
            converter = InputFile.class,
            description =
                    "A run's verdicts, as /runs/…/verdicts.json gives them, or those of several, one after another.")
    private List<Path> files = List.of();

    AaCommand(PrintStream out) {
        this.out = out;
    }

    /** What it reads of the JSON twin. */
    private record Twin(String schema, List<TwinFamily> families) {}

    private record TwinFamily(TestDimension axis, List<TwinTest> tests) {}

    private record TwinTest(String metric, @Nullable TwinOutcome outcome) {}

    private record TwinOutcome(
            @Nullable Verdict verdict, @Nullable Double p) {}

    @Override
    public Integer call() {
        Map<String, List<AaComparisons.One>> metrics = new TreeMap<>();
        for (Path file : files) {
            for (TwinTest test : tests(file)) {
                TwinOutcome outcome = test.outcome();
                metrics.computeIfAbsent(test.metric(), metric -> new ArrayList<>())
                        .add(new AaComparisons.One(
                                outcome == null ? null : outcome.verdict(), outcome == null ? null : outcome.p()));
            }
        }
        metrics.forEach((metric, comparisons) -> print(metric, AaComparisons.of(comparisons)));
        return 0;
    }

    private List<TwinTest> tests(Path file) {
        try {
            List<Twin> runs = StoredJson.readAll(Files.readString(file), Twin.class);
            if (!runs.stream().allMatch(run -> SCHEMA.equals(run.schema()))) {
                throw refused(file + " is not " + SCHEMA + ", which /runs/…/verdicts.json gives");
            }
            List<TwinTest> tests = runs.stream()
                    .flatMap(run -> run.families().stream())
                    .filter(family -> family.axis() == TestDimension.JDK)
                    .flatMap(family -> family.tests().stream())
                    .toList();
            if (tests.isEmpty()) {
                throw refused(file + " compares no two builds: measure a cell on two homes of one build");
            }
            return tests;
        } catch (NoSuchFileException e) {
            throw refused("there is no file " + file);
        } catch (IOException | JacksonException e) {
            throw refused("cannot read " + file + ": " + e.getMessage());
        }
    }

    private void print(String metric, AaComparisons found) {
        String verdicts = Arrays.stream(Verdict.values())
                .filter(verdict -> found.count(verdict) > 0)
                .map(verdict -> verdict.word() + " " + found.count(verdict))
                .collect(Collectors.joining(", "));
        line(
                "%s: %d comparisons, %d without a verdict%s",
                Metrics.all().get(metric).title(),
                found.comparisons(),
                found.without(),
                verdicts.isEmpty() ? "" : "; " + verdicts);
        if (found.wrong() != null) {
            line(
                    "  false %.2f %% (95 %%: %.2f to %.2f %%)",
                    100 * found.wrong().value(),
                    100 * found.wrong().low(),
                    100 * found.wrong().high());
        }
        if (found.p() != null) {
            line(
                    "  p of the paired tests: D = %.3f from an even spread, p %.3f (Kolmogorov and Smirnov)",
                    found.p().distance(), found.p().p());
        }
    }

    private void line(String format, Object... values) {
        out.printf(Locale.ROOT, format + "%n", values);
    }
}
