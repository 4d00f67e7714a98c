package dev.loomboard.stats;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The command {@code detect FILE [--window=50] [--p=0.001] [--magnitude=0]}: one number per line in, one change point
 * per line out, as index, q̂ and p. It starts nothing of the service.
 */
public final class Detect {

    private static final int BAD_INPUT = 2;
    private static final Pattern NUMBER = Pattern.compile("[+-]?(\\d+\\.?\\d*|\\.\\d+)([eE][+-]?\\d+)?");
    private static final String USAGE = "usage: detect FILE [--window=50] [--p=0.001] [--magnitude=0]";

    private Detect() {}

    /** @return the exit code: 2 when the options or the file are not what they must be */
    public static int run(List<String> arguments, PrintStream out, PrintStream err) {
        try {
            if (arguments.isEmpty() || arguments.getFirst().isBlank()) {
                throw new IllegalArgumentException(USAGE);
            }
            Detector detector = detector(arguments.subList(1, arguments.size()));
            for (ChangePoint point : detector.changePoints(read(arguments.getFirst()))) {
                out.println(point.index() + " " + point.qhat() + " " + point.p());
            }
            out.flush();
            return 0;
        } catch (IllegalArgumentException e) {
            err.println("detect: " + e.getMessage());
            return BAD_INPUT;
        }
    }

    private static Detector detector(List<String> options) {
        Detector detector = Detector.DEFAULT;
        for (String option : options) {
            String[] parts = option.split("=", 2);
            String value = parts.length == 2 ? parts[1].strip() : "";
            detector = switch (parts[0]) {
                case "--window" -> new Detector(whole(option, value), detector.maxP(), detector.minMagnitude());
                case "--p" -> new Detector(detector.window(), number(option, value), detector.minMagnitude());
                case "--magnitude" -> new Detector(detector.window(), detector.maxP(), number(option, value));
                default -> throw new IllegalArgumentException(option + " is not an option; " + USAGE);
            };
        }
        return detector;
    }

    private static double[] read(String file) {
        String text;
        try {
            // What is no UTF-8 becomes a character that is in no number, so that its line can be named.
            text = new String(Files.readAllBytes(Path.of(file)), StandardCharsets.UTF_8);
        } catch (NoSuchFileException e) {
            throw new IllegalArgumentException("there is no file " + file, e);
        } catch (IOException e) {
            throw new IllegalArgumentException("cannot read " + file + ": " + e.getMessage(), e);
        }
        List<String> lines =
                text.replaceFirst("^\uFEFF", "").stripTrailing().lines().toList();
        if (lines.isEmpty()) {
            throw new IllegalArgumentException(file + " holds no number");
        }
        double[] series = new double[lines.size()];
        for (int i = 0; i < series.length; i++) {
            series[i] = number(file + ", line " + (i + 1), lines.get(i).strip());
        }
        return series;
    }

    private static int whole(String where, String text) {
        if (!text.matches("\\d{1,9}")) {
            throw new IllegalArgumentException(where + ": not a whole number");
        }
        return Integer.parseInt(text);
    }

    private static double number(String where, String text) {
        if (text.isEmpty()) {
            throw new IllegalArgumentException(where + ": a number is missing");
        }
        double number = NUMBER.matcher(text).matches() ? Double.parseDouble(text) : Double.NaN;
        if (!Double.isFinite(number)) {
            throw new IllegalArgumentException(where + ": not a finite number: \"" + shown(text) + "\"");
        }
        return number;
    }

    private static String shown(String text) {
        String plain = text.replaceAll("\\p{Cntrl}", "?");
        return plain.length() <= 40 ? plain : plain.substring(0, 40) + "…";
    }
}
