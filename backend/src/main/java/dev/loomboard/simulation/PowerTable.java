package dev.loomboard.simulation;

import dev.loomboard.stats.Estimate;
import java.util.ArrayList;
import java.util.List;

/**
 * What reruns find at one spread of launches and one margin, by the kind of noise.
 *
 * @param rows a noise each
 */
public record PowerTable(double spread, double delta, List<Row> rows) {

    /** @param cells by {@link SimulationSetup#changes} */
    public record Row(Noise noise, List<Cell> cells) {}

    /**
     * @param change of the true level, as a share; 0: none, so what is found is false
     * @param found share of reruns that confirm once started
     * @param good whether the goal is met
     * @param cleared the same; the rest stays open
     * @param blocks of a rerun in the mean
     * @param screened of an installation of many series
     * @param few of a small one
     */
    public record Cell(
            double change,
            Estimate found,
            boolean good,
            Estimate cleared,
            double blocks,
            Screened screened,
            Screened few) {}

    /**
     * @param firstNight share that screen and rerun find in the night of the change
     * @param soon within {@link Detection#SOON}
     * @param reruns per series that the screen starts for that
     */
    public record Screened(Estimate firstNight, Estimate soon, double reruns) {
        static Screened of(RerunPower.Screened screened, int series) {
            return new Screened(
                    Estimate.share(screened.firstNight(), series),
                    Estimate.share(screened.soon(), series),
                    (double) screened.reruns() / series);
        }
    }

    static List<PowerTable> of(SimulationSetup setup, List<NoiseResult> played) {
        List<PowerTable> tables = new ArrayList<>();
        for (double spread : setup.spreads()) {
            for (double delta : setup.deltas()) {
                List<Row> rows = played.stream()
                        .map(of -> new Row(of.noise(), cells(of.power(), spread, delta)))
                        .toList();
                tables.add(new PowerTable(spread, delta, rows));
            }
        }
        return List.copyOf(tables);
    }

    private static List<Cell> cells(List<RerunPower> power, double spread, double delta) {
        return power.stream()
                .filter(of -> of.spread() == spread && of.delta() == delta)
                .map(PowerTable::cell)
                .toList();
    }

    private static Cell cell(RerunPower of) {
        Estimate found = Estimate.share(of.confirmed(), of.series());
        return new Cell(
                of.change(),
                found,
                Goals.power(of, found),
                Estimate.share(of.cleared(), of.series()),
                (double) of.blocks() / of.series(),
                Screened.of(of.many(), of.series()),
                Screened.of(of.few(), of.series()));
    }
}
