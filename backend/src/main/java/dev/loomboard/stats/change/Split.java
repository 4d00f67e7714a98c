package dev.loomboard.stats.change;

/**
 * The likeliest place where a stretch of a series changes, by the E-divisive statistic of Matteson and James (arXiv
 * 1306.4933) with distances between pairs as a U-statistic:
 *
 * <pre>Q(τ, κ) = 2/(m+n) Σ|Xi−Yj| − 2m/((m+n)(n−1)) Σ|Xi−Xk| − 2n/((m+n)(m−1)) Σ|Yj−Yk|</pre>
 *
 * for X the n values before τ and Y the m values from τ to before κ.
 *
 * @param index first value of what comes after, in the whole series
 * @param qhat the greatest Q, in the series' unit
 */
record Split(int index, double qhat) {

    /**
     * The τ of the greatest Q over all τ and κ; the first of equals. Between {@code start} and {@code end} there must
     * be two values.
     *
     * <p>{@code origin} is where the window begins: what lies between it and {@code start} is added and taken away again,
     * which changes nothing but the last bit. Ties are decided by that bit, in Apache Otava as here.
     */
    static Split best(double[] series, int origin, int start, int end) {
        double[] within = within(series, origin, start, end);
        int columns = within.length;
        double[] row = new double[columns]; // Σ|x[start+r] − x| over what comes after it, up to the column
        double[] after = new double[columns + 1]; // Σ of rows below
        Split best = new Split(start + 1, Double.NEGATIVE_INFINITY);
        for (int column = 0; column < columns; column++) {
            for (int r = 0; r <= column; r++) {
                row[r] += StrictMath.abs(series[start + r] - series[start + column + 1]);
            }
            after[column] = 0;
            for (int r = column; r > 0; r--) {
                after[r - 1] = after[r] + row[r];
            }
            best = best(best, start, column, row, within, after);
        }
        return best;
    }

    private static Split best(Split best, int start, int column, double[] row, double[] within, double[] after) {
        int both = column + 2;
        double all = 0;
        for (int r = 0; r <= column; r++) {
            all += row[r];
            double before = r == 0 ? 0 : within[r - 1];
            double across = 2.0 / both * (all - before);
            double left = r == 0 ? 0 : 2.0 * (column + 1 - r) / ((long) both * r) * before;
            double right = r == column ? 0 : 2.0 * (r + 1) / ((long) both * (column - r)) * after[r];
            double q = across - left - right;
            int index = start + 1 + r;
            if (q > best.qhat || q == best.qhat && index < best.index) {
                best = new Split(index, q);
            }
        }
        return best;
    }

    /** Sums of the distances among the first 2, 3, … values. */
    private static double[] within(double[] series, int origin, int start, int end) {
        double[] within = new double[end - start - 1];
        double sum = 0;
        for (int i = 0; i < within.length; i++) {
            double value = series[start + 1 + i];
            double upTo = 0;
            double earlier = 0;
            for (int k = origin; k <= start + i; k++) {
                if (k == start) {
                    earlier = upTo;
                }
                upTo += StrictMath.abs(series[k] - value);
            }
            sum += upTo - earlier;
            within[i] = sum;
        }
        return within;
    }
}
