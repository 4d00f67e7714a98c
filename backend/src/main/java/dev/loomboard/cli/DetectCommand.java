package dev.loomboard.cli;

import dev.loomboard.stats.change.ChangePoint;
import dev.loomboard.stats.change.Detector;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.TypeConversionException;

/** One number per line in, one change point per line out, as index, q̂ and p. It starts nothing of the service. */
@Command(
        name = "detect",
        customSynopsis = "detect FILE [--window=50] [--p=0.001] [--magnitude=0]",
        description =
                "Finds the change points of a file with a number per line and prints the index, q̂ and p of each.")
final class DetectCommand extends CliCommand {

    private final PrintStream out;

    @Parameters(paramLabel = "FILE", converter = InputFile.class, description = "A number per line.")
    private Path file = Path.of("");

    @Option(names = "--window", converter = WholeNumber.class, description = "Points of a window.")
    private int window = Detector.DEFAULT.window();

    @Option(names = "--p", converter = DecimalNumber.class, description = "The largest p of a change point.")
    private double p = Detector.DEFAULT.maxP();

    @Option(names = "--magnitude", converter = DecimalNumber.class, description = "The smallest change, as a share.")
    private double magnitude = Detector.DEFAULT.minMagnitude();

    DetectCommand(PrintStream out) {
        this.out = out;
    }

    @Override
    public Integer call() {
        for (ChangePoint point : detector().changePoints(read())) {
            out.println(point.index() + " " + point.qhat() + " " + point.p());
        }
        return 0;
    }

    private Detector detector() {
        try {
            return new Detector(window, p, magnitude);
        } catch (IllegalArgumentException e) {
            throw refused(String.valueOf(e.getMessage()));
        }
    }

    private double[] read() {
        List<String> lines =
                text().replaceFirst("^\uFEFF", "").stripTrailing().lines().toList();
        if (lines.isEmpty()) {
            throw refused(file + " holds no number");
        }
        DecimalNumber number = new DecimalNumber();
        double[] series = new double[lines.size()];
        for (int i = 0; i < series.length; i++) {
            try {
                series[i] = number.convert(lines.get(i));
            } catch (TypeConversionException e) {
                throw refused(file + ", line " + (i + 1) + ": " + e.getMessage());
            }
        }
        return series;
    }

    private String text() {
        try {
            // What is no UTF-8 becomes a character that is in no number, so that its line can be named.
            return new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
        } catch (NoSuchFileException e) {
            throw refused("there is no file " + file);
        } catch (IOException e) {
            throw refused("cannot read " + file + ": " + e.getMessage());
        }
    }
}
