package dev.loomboard.simulation;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.loomboard.stats.Margin;
import dev.loomboard.stats.change.SequentialRerun;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * What one rerun finds once it is started, and what the nightly screen and its reruns find together.
 *
 * @param spread of launches
 * @param change of the true level, as a share; 0: nothing changed
 * @param delta margin
 * @param blocks of all series' reruns
 * @param cleared of them
 * @param open of them
 * @param many by the screen of {@link SimulationSetup#installation} series
 * @param few of {@link SimulationSetup#few}
 * @param digest sum of the p of the looks
 */
public record RerunPower(
        double spread,
        double change,
        double delta,
        int series,
        int confirmed,
        int cleared,
        int open,
        int blocks,
        @JsonUnwrapped Screened many,
        Screened few,
        double digest) {

    /**
     * What screen and reruns find together.
     *
     * @param firstNight series that the screen suspected in the night of the change and whose rerun confirmed it
     * @param soon within {@link Detection#SOON} nights
     * @param reruns that the screen started in these
     */
    public record Screened(int firstNight, int soon, int reruns) {
        Screened plus(Screened other) {
            return new Screened(firstNight + other.firstNight, soon + other.soon, reruns + other.reruns);
        }
    }

    /**
     * Spreads × changes × margins.
     *
     * @param other for what the screen of few series starts besides
     */
    static List<RerunPower> of(SimulationSetup setup, Noise noise, Random random, Random other) {
        List<RerunPower> all = new ArrayList<>();
        for (double spread : setup.spreads()) {
            for (double change : setup.changes()) {
                all.addAll(of(setup, noise, spread, change, random, other));
            }
        }
        return all;
    }

    private static List<RerunPower> of(
            SimulationSetup setup, Noise noise, double spread, double change, Random random, Random other) {
        List<Margin> margins = setup.margins();
        double ln = StrictMath.log1p(change);
        SimulatedRerun rerun = new SimulatedRerun(noise, spread, setup.night().loss(), random);
        List<SimulatedRerun.Result> once = rerun.of(ln, true, margins);
        int before = SimulatedScreen.PAST;
        double[] ratios = SimulatedNights.of(
                        setup, noise, spread, before + Detection.SOON, night -> night < before ? 0 : ln, random)
                .ratios();
        List<Screened> many = screened(SimulatedScreen.of(setup.installation()), ratios, rerun, ln, margins);
        List<Screened> few = screened(
                SimulatedScreen.of(setup.few()),
                ratios,
                new SimulatedRerun(noise, spread, setup.night().loss(), other),
                ln,
                margins);
        List<RerunPower> all = new ArrayList<>();
        for (int m = 0; m < margins.size(); m++) {
            all.add(one(setup, spread, change, m, once.get(m), many.get(m), few.get(m)));
        }
        return all;
    }

    /** By margin. */
    private static List<Screened> screened(
            SimulatedScreen screen, double[] ratios, SimulatedRerun rerun, double change, List<Margin> margins) {
        int[] found = new int[margins.size()]; // night of the message, from 1
        int[] reruns = new int[margins.size()];
        for (int night = 0; night < Detection.SOON; night++) {
            if (screen.starts(ratios, SimulatedScreen.PAST + night)) {
                List<SimulatedRerun.Result> results = rerun.of(change, true, margins);
                for (int m = 0; m < found.length; m++) {
                    reruns[m] += found[m] == 0 ? 1 : 0;
                    boolean confirmed = results.get(m).answer() == SequentialRerun.Answer.CONFIRMED;
                    found[m] = found[m] == 0 && confirmed ? night + 1 : found[m];
                }
            }
        }
        List<Screened> all = new ArrayList<>();
        for (int m = 0; m < found.length; m++) {
            all.add(new Screened(found[m] == 1 ? 1 : 0, found[m] > 0 ? 1 : 0, reruns[m]));
        }
        return all;
    }

    private static RerunPower one(
            SimulationSetup setup,
            double spread,
            double change,
            int margin,
            SimulatedRerun.Result once,
            Screened many,
            Screened few) {
        return new RerunPower(
                spread,
                change,
                setup.deltas().get(margin),
                1,
                once.answer() == SequentialRerun.Answer.CONFIRMED ? 1 : 0,
                once.answer() == SequentialRerun.Answer.CLEARED ? 1 : 0,
                once.answer() == SequentialRerun.Answer.OPEN ? 1 : 0,
                once.blocks(),
                many,
                few,
                once.digest());
    }

    RerunPower plus(RerunPower other) {
        return new RerunPower(
                spread,
                change,
                delta,
                series + other.series,
                confirmed + other.confirmed,
                cleared + other.cleared,
                open + other.open,
                blocks + other.blocks,
                many.plus(other.many),
                few.plus(other.few),
                digest + other.digest);
    }
}
