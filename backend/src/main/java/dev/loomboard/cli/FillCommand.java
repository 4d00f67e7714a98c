package dev.loomboard.cli;

import dev.loomboard.generate.FillApplication;
import dev.loomboard.generate.GeneratedSize;
import java.io.PrintStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Generated rows for the database that the service would use, which must be an empty one. */
@Command(
        name = "fill",
        customSynopsis = "fill [--series=200] [--points=5000] [--trials=20] [--raw=2000] [--seed=20261121]",
        description = "Fills an empty database with generated results, as of years of measuring.")
final class FillCommand extends CliCommand {

    private final PrintStream out;
    private final PrintStream err;
    private final String[] settings;

    @Option(names = "--series", converter = WholeNumber.class, description = "A multiple of 40.")
    private int series = GeneratedSize.FULL.series();

    @Option(names = "--points", converter = WholeNumber.class, description = "Points of each series.")
    private int points = GeneratedSize.FULL.points();

    @Option(names = "--trials", converter = WholeNumber.class, description = "Trials of each cell.")
    private int trials = GeneratedSize.FULL.trials();

    @Option(
            names = "--raw",
            converter = WholeNumber.class,
            description = "Newest trials that have histograms and samples.")
    private int raw = GeneratedSize.FULL.raw();

    @Option(
            names = "--seed",
            converter = WholeNumber.class,
            description = "The same numbers for the same seed and size.")
    private int seed = GeneratedSize.FULL.seed();

    FillCommand(PrintStream out, PrintStream err, String... settings) {
        this.out = out;
        this.err = err;
        this.settings = settings;
    }

    @Override
    public Integer call() {
        return FillApplication.run(size(), out, err, settings);
    }

    private GeneratedSize size() {
        try {
            return new GeneratedSize(series, points, trials, raw, seed);
        } catch (IllegalArgumentException e) {
            throw refused(String.valueOf(e.getMessage()));
        }
    }
}
