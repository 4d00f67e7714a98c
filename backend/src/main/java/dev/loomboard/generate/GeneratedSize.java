package dev.loomboard.generate;

/**
 * How much is generated.
 *
 * @param series a multiple of 40: five variants × two tracks × four metrics of a scenario on a machine
 * @param points of each series, a night each
 * @param trials of each cell
 * @param raw how many of the newest trials have histograms and samples; whole nights, so perhaps a few more; not more than there are
 * @param seed the same numbers for the same seed and size
 */
public record GeneratedSize(int series, int points, int trials, int raw, int seed) {

    public static final GeneratedSize FULL = new GeneratedSize(200, 5000, 20, 2000, 20_261_121);

    private static final int METRICS = 4;
    private static final int SERIES_OF_SCENARIO = 40;
    private static final int LINES_OF_MACHINE = 20;

    public GeneratedSize {
        if (series < 1 || series % SERIES_OF_SCENARIO != 0) {
            throw new IllegalArgumentException(
                    "--series must be a multiple of " + SERIES_OF_SCENARIO + ", is " + series);
        }
        if (points < 2 || trials < 2) {
            throw new IllegalArgumentException(
                    "--points and --trials must be at least 2, are " + points + " and " + trials);
        }
        raw = (int) Math.min(raw, (long) points * trials * series / METRICS);
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
}
