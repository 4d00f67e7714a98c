package dev.loomboard.stats.change;

/**
 * A stretch of a series: mean and standard deviation of the population (n), in the series' unit.
 *
 * <p>Sums are made in eight lanes and halves, the order that NumPy has: on stretches of one repeated value the rounding
 * alone decides whether their deviation is 0, and Apache Otava must be met there too.
 */
record Segment(int count, double mean, double deviation) {

    private static final int LANES = 8;
    private static final int BLOCK = 128;

    /** From {@code start} to before {@code end}. */
    static Segment of(double[] series, int start, int end) {
        int count = end - start;
        if (count < 1) {
            throw new IllegalArgumentException("a segment needs a value, from " + start + " to " + end + " has none");
        }
        double mean = sum(series, start, count) / count;
        double[] squares = new double[count];
        for (int i = 0; i < count; i++) {
            double off = series[start + i] - mean;
            squares[i] = off * off;
        }
        return new Segment(count, mean, StrictMath.sqrt(sum(squares, 0, count) / count));
    }

    private static double sum(double[] values, int start, int count) {
        if (count < LANES) {
            double sum = 0;
            for (int i = 0; i < count; i++) {
                sum += values[start + i];
            }
            return sum;
        }
        if (count <= BLOCK) {
            return lanes(values, start, count);
        }
        int half = count / 2 - count / 2 % LANES;
        return sum(values, start, half) + sum(values, start + half, count - half);
    }

    private static double lanes(double[] values, int start, int count) {
        double[] lane = new double[LANES];
        int whole = count - count % LANES;
        for (int i = 0; i < whole; i++) {
            lane[i % LANES] += values[start + i];
        }
        double sum = ((lane[0] + lane[1]) + (lane[2] + lane[3])) + ((lane[4] + lane[5]) + (lane[6] + lane[7]));
        for (int i = whole; i < count; i++) {
            sum += values[start + i];
        }
        return sum;
    }
}
