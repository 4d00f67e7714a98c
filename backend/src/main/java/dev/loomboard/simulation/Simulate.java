package dev.loomboard.simulation;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * The command {@code simulate [--seed=N] [--series=2000] [--threads=N] [--json=FILE]}: tables on standard output, progress on
 * standard error, all counts into the file. It starts nothing of the service.
 */
public final class Simulate {

    private static final int BAD_INPUT = 2;
    private static final String USAGE = "usage: simulate [--seed=N] [--series=2000] [--threads=N] [--json=FILE]";

    private record Options(
            long seed, int series, int threads, @Nullable Path json) {}

    private Simulate() {}

    /** @return the exit code: 2 when an option is not what it must be, 1 when the file cannot be written */
    public static int run(List<String> arguments, PrintStream out, PrintStream err) {
        Options options;
        try {
            options = options(arguments);
        } catch (IllegalArgumentException e) {
            err.println("simulate: " + e.getMessage());
            return BAD_INPUT;
        }
        long start = System.nanoTime();
        Simulation simulation = Simulation.run(options.seed, options.series, options.threads, line -> {
            long seconds = Duration.ofNanos(System.nanoTime() - start).toSeconds();
            err.println("simulate: %4d s: %s".formatted(seconds, line));
        });
        out.print(Table.of(Report.of(simulation)));
        out.flush();
        Path json = options.json;
        if (json == null) {
            return 0;
        }
        try {
            write(simulation, json);
            return 0;
        } catch (IOException e) {
            err.println("simulate: cannot write " + json + ": " + e.getMessage());
            return 1;
        }
    }

    private static Options options(List<String> arguments) {
        Options options = new Options(20_261_121, 2000, Runtime.getRuntime().availableProcessors(), null);
        for (String argument : arguments) {
            String[] parts = argument.split("=", 2);
            String value = parts.length == 2 ? parts[1] : "";
            options = switch (parts[0]) {
                case "--seed" -> new Options(whole(argument, value, 0), options.series, options.threads, options.json);
                case "--series" ->
                    new Options(options.seed, (int) whole(argument, value, 1), options.threads, options.json);
                case "--threads" ->
                    new Options(options.seed, options.series, (int) whole(argument, value, 1), options.json);
                case "--json" -> new Options(options.seed, options.series, options.threads, file(argument, value));
                default -> throw new IllegalArgumentException(argument + " is not an option; " + USAGE);
            };
        }
        return options;
    }

    private static long whole(String where, String text, int least) {
        if (!text.matches("\\d{1,9}") || Long.parseLong(text) < least) {
            throw new IllegalArgumentException(where + ": not a whole number from " + least + " to 999999999");
        }
        return Long.parseLong(text);
    }

    /** Looked at before the run, which takes minutes. */
    private static Path file(String where, String text) {
        Path file = Path.of(text).toAbsolutePath();
        Path folder = file.getParent();
        if (text.isBlank() || Files.isDirectory(file) || folder == null || !Files.isWritable(folder)) {
            throw new IllegalArgumentException(where + ": not a file in a folder that can be written to");
        }
        return file;
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
