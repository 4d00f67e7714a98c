package dev.loomboard.generate;

import java.util.List;

/**
 * How much is generated.
 *
 * @param series a multiple of 40: five variants × two tracks × four metrics of a scenario on a machine
 * @param points of each series, a night each
 * @param trials of each cell
 * @param raw how many of the newest trials have histograms and samples; whole nights, so perhaps a few more
 * @param seed the same numbers for the same seed and size
 */
record Size(int series, int points, int trials, int raw, int seed) {

    static final String USAGE =
            "usage: fill [--series=200] [--points=5000] [--trials=20] [--raw=2000] [--seed=20261121]";
    static final Size FULL = new Size(200, 5000, 20, 2000, 20_261_121);

    private static final int METRICS = 4;
    private static final int SERIES_OF_SCENARIO = 40;
    private static final int LINES_OF_MACHINE = 20;

    Size {
        if (series < 1 || series % SERIES_OF_SCENARIO != 0) {
            throw new IllegalArgumentException(
                    "--series must be a multiple of " + SERIES_OF_SCENARIO + ", is " + series);
        }
        if (points < 2 || trials < 2) {
            throw new IllegalArgumentException(
                    "--points and --trials must be at least 2, are " + points + " and " + trials);
        }
        if (raw > (long) points * trials * series / METRICS) {
            throw new IllegalArgumentException("--raw must not be more than there are trials, is " + raw);
        }
    }

    /** @throws IllegalArgumentException which says what is wrong and what may be given */
    static Size of(List<String> arguments) {
        Size size = FULL;
        for (String argument : arguments) {
            String[] parts = argument.split("=", 2);
            int value = whole(argument, parts.length == 2 ? parts[1] : "");
            size = switch (parts[0]) {
                case "--series" -> new Size(value, size.points, size.trials, 0, size.seed).withRaw(size.raw);
                case "--points" -> new Size(size.series, value, size.trials, 0, size.seed).withRaw(size.raw);
                case "--trials" -> new Size(size.series, size.points, value, 0, size.seed).withRaw(size.raw);
                case "--raw" -> size.withRaw(value);
                case "--seed" -> new Size(size.series, size.points, size.trials, size.raw, value);
                default -> throw new IllegalArgumentException(argument + " is not an option; " + USAGE);
            };
        }
        return size;
    }

    private Size withRaw(int trialsWithRaw) {
        long all = (long) points * trials * lines();
        return new Size(series, points, trials, (int) Math.min(trialsWithRaw, all), seed);
    }

    /** A line is measured each night as one cell: a variant of a server, in a scenario, on a track, on a machine. */
    int lines() {
        return series / METRICS;
    }

    int machines() {
        return (lines() + LINES_OF_MACHINE - 1) / LINES_OF_MACHINE;
    }

    int rawNights() {
        int ofNight = lines() * trials;
        return (raw + ofNight - 1) / ofNight;
    }

    private static int whole(String where, String text) {
        if (!text.matches("\\d{1,9}")) {
            throw new IllegalArgumentException(where + ": not a whole number; " + USAGE);
        }
        return Integer.parseInt(text);
    }
}
