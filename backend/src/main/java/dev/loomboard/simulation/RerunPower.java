package dev.loomboard.simulation;

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
 * @param firstNight series that the screen suspected in the night of the change and whose rerun confirmed it;
 * @param soon within {@link Detection#SOON} nights
 * @param reruns that the screen started in these
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
        int firstNight,
        int soon,
        int reruns,
        double digest) {

    /** Spreads × changes × margins. */
    static List<RerunPower> of(SimulationSetup setup, Noise noise, Random random) {
        List<RerunPower> all = new ArrayList<>();
        for (double spread : setup.spreads()) {
            for (double change : setup.changes()) {
                all.addAll(of(setup, noise, spread, change, random));
            }
        }
        return all;
    }

    private static List<RerunPower> of(
            SimulationSetup setup, Noise noise, double spread, double change, Random random) {
        List<Margin> margins = setup.margins();
        double ln = StrictMath.log1p(change);
        SimulatedRerun rerun = new SimulatedRerun(noise, spread, setup.night().loss(), random);
        List<SimulatedRerun.Result> once = rerun.of(ln, true, margins);
        int before = SimulatedScreen.PAST;
        double[] ratios = SimulatedNights.of(
                        setup, noise, spread, before + Detection.SOON, night -> night < before ? 0 : ln, random)
                .ratios();
        SimulatedScreen screen = SimulatedScreen.of(setup.installation());
        int[] found = new int[margins.size()]; // night of the message, from 1
        int[] reruns = new int[margins.size()];
        for (int night = 0; night < Detection.SOON; night++) {
            if (screen.starts(ratios, before + night)) {
                List<SimulatedRerun.Result> results = rerun.of(ln, true, margins);
                for (int m = 0; m < found.length; m++) {
                    reruns[m] += found[m] == 0 ? 1 : 0;
                    boolean confirmed = results.get(m).answer() == SequentialRerun.Answer.CONFIRMED;
                    found[m] = found[m] == 0 && confirmed ? night + 1 : found[m];
                }
            }
        }
        List<RerunPower> all = new ArrayList<>();
        for (int m = 0; m < found.length; m++) {
            all.add(one(setup, spread, change, m, once.get(m), found[m], reruns[m]));
        }
        return all;
    }

    private static RerunPower one(
            SimulationSetup setup,
            double spread,
            double change,
            int margin,
            SimulatedRerun.Result once,
            int found,
            int reruns) {
        return new RerunPower(
                spread,
                change,
                setup.deltas().get(margin),
                1,
                once.answer() == SequentialRerun.Answer.CONFIRMED ? 1 : 0,
                once.answer() == SequentialRerun.Answer.CLEARED ? 1 : 0,
                once.answer() == SequentialRerun.Answer.OPEN ? 1 : 0,
                once.blocks(),
                found == 1 ? 1 : 0,
                found > 0 ? 1 : 0,
                reruns,
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
                firstNight + other.firstNight,
                soon + other.soon,
                reruns + other.reruns,
                digest + other.digest);
    }
}
