package dev.loomboard.stats;

import com.fasterxml.jackson.annotation.JsonIgnoreType;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Geometric mean of the ratios of different cells, each counting once.
 *
 * @param low lower end of the 95 % interval that the cells' own errors give: these cells measured again, not others
 * @param spread standard deviation of the cells' ratios among themselves, on the ln scale; null: there is one cell
 */
public record RatioMean(
        int cells,
        double ratio,
        double low,
        double high,
        @Nullable Double spread) {

    /**
     * The ratio of one cell. JSON leaves it out: it has the ratio as it is shown.
     *
     * @param error standard error of its logarithm
     * @param freedom degrees of freedom of that, not asked where the error is 0
     */
    @JsonIgnoreType
    public record Cell(double ratio, double error, double freedom) {

        /**
         * From a t interval of 95 % of paired blocks.
         *
         * @param degrees of freedom that the interval is of
         */
        public static Cell ofBlocks(double ratio, double low, double high, int degrees) {
            double half = (StrictMath.log(high) - StrictMath.log(low)) / 2;
            return new Cell(ratio, half / Mean.critical(degrees), degrees);
        }

        /** Empty: fewer than two trials on a side, or a value that has no logarithm. */
        public static Optional<Cell> welch(List<Double> baseline, List<Double> candidate) {
            if (baseline.size() < 2 || candidate.size() < 2) {
                return Optional.empty();
            }
            return Ratio.welch(baseline, candidate).map(ratio -> {
                Welch welch = Welch.of(Moments.of(baseline, Scale.LN), Moments.of(candidate, Scale.LN));
                return new Cell(ratio.ratio(), welch.error(), welch.freedom());
            });
        }
    }

    /**
     * The error of the mean of k independent ones is √Σse² ÷ k, its degrees of freedom (Σse²)² ÷ Σ(se⁴ ÷ df) (Satterthwaite,
     * Biometrics Bulletin 1946). Empty: there are none.
     */
    public static Optional<RatioMean> of(List<Cell> cells) {
        if (cells.isEmpty()) {
            return Optional.empty();
        }
        double sum = 0;
        double squares = 0;
        double fourths = 0;
        for (Cell cell : cells) {
            sum += StrictMath.log(cell.ratio());
            double square = cell.error() * cell.error();
            squares += square;
            fourths += square == 0 ? 0 : square * square / cell.freedom();
        }
        double mean = sum / cells.size();
        double half =
                squares == 0 ? 0 : Mean.critical(squares * squares / fourths) * StrictMath.sqrt(squares) / cells.size();
        return Optional.of(new RatioMean(
                cells.size(),
                StrictMath.exp(mean),
                StrictMath.exp(mean - half),
                StrictMath.exp(mean + half),
                cells.size() == 1 ? null : Double.valueOf(spread(cells))));
    }

    private static double spread(List<Cell> cells) {
        return StrictMath.sqrt(
                Moments.of(cells.stream().map(Cell::ratio).toList(), Scale.LN).variance());
    }
}
