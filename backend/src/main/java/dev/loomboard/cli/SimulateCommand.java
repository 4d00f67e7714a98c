package dev.loomboard.cli;

import dev.loomboard.simulation.ReportTable;
import dev.loomboard.simulation.Simulation;
import dev.loomboard.simulation.SimulationReport;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * Tables on standard output, progress on standard error, all counts into the file. It starts nothing of the service. The
 * exit code is 1 when the file cannot be written.
 */
@Command(
        name = "simulate",
        customSynopsis = "simulate [--seed=N] [--series=2000] [--threads=N] [--json=FILE]",
        description = "Plays the statistics on seeded noise and prints how often they are wrong. It takes minutes.")
final class SimulateCommand extends CliCommand {

    private final PrintStream out;
    private final PrintStream err;

    @Option(names = "--seed", converter = WholeNumber.class, description = "The same counts for the same seed.")
    private int seed = 20_261_121;

    @Option(names = "--series", converter = PositiveNumber.class, description = "Series of each kind of noise.")
    private int series = 2000;

    @Option(names = "--threads", converter = PositiveNumber.class, description = "As many as there are cores.")
    private int threads = Runtime.getRuntime().availableProcessors();

    @Option(names = "--json", converter = WritableFile.class, description = "A file for all counts.")
    private @Nullable Path json;

    SimulateCommand(PrintStream out, PrintStream err) {
        this.out = out;
        this.err = err;
    }

    @Override
    public Integer call() {
        long start = System.nanoTime();
        Simulation simulation = Simulation.run(seed, series, threads, line -> {
            long seconds = Duration.ofNanos(System.nanoTime() - start).toSeconds();
            err.println("simulate: %4d s: %s".formatted(seconds, line));
        });
        out.print(ReportTable.of(SimulationReport.of(simulation)));
        out.flush();
        try {
            if (json != null) {
                write(simulation, json);
            }
            return 0;
        } catch (IOException e) {
            err.println("simulate: cannot write " + json + ": " + e.getMessage());
            return 1;
        }
    }

    /** Under its name only once it is whole. */
    private static void write(Simulation simulation, Path file) throws IOException {
        Path part = file.resolveSibling(file.getFileName() + ".part");
        byte[] json = JsonMapper.builder()
                .enable(SerializationFeature.INDENT_OUTPUT)
                .build()
                .writeValueAsBytes(simulation);
        Files.write(part, json);
        Files.move(part, file, StandardCopyOption.REPLACE_EXISTING);
    }
}
