package dev.loomboard.simulation;

import dev.loomboard.stats.change.SequentialRerun;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.IntToDoubleFunction;

/** What comes of one simulated series: of a year without a change, and of each seeded slowdown. */
record SimulatedSeries(SimulationSetup scenario, Noise noise) {

    /** In whatever unit: δ is a share. */
    static final double LEVEL = 100;

    /** A suspect within this many points of a seeded slowdown counts as found. */
    private static final int NEAR = 5;

    QuietYear year(Random random) {
        IntToDoubleFunction level = night -> 0;
        SimulatedNights nights = nights(scenario.nights(), level, random);
        SimulatedWatch watch = watch(nights, level, random).watched(1);
        int[] byScreen = new int[scenario.deltas().size()];
        int screened = screened(nights.ratios(), byScreen, random);
        List<QuietYear.Messages> messages = new ArrayList<>();
        for (int m = 0; m < byScreen.length; m++) {
            int margin = m;
            int byRerun = (int) watch.messages().stream()
                    .filter(message -> message.margin() == margin && message.byRerun())
                    .count();
            int all = (int) watch.messages().stream()
                    .filter(message -> message.margin() == margin)
                    .count();
            messages.add(new QuietYear.Messages(scenario.deltas().get(m), byRerun, all - byRerun, byScreen[m]));
        }
        return new QuietYear(
                1, watch.suspects().size(), watch.standing(), watch.unattributed(), screened, messages, watch.digest());
    }

    /** Gives the reruns that the screen starts, and counts what they confirm of each margin. */
    private int screened(double[] ratios, int[] confirmed, Random random) {
        SimulatedScreen screen = SimulatedScreen.of(scenario.installation());
        SimulatedRerun rerun = new SimulatedRerun(
                noise, scenario.night().spread(), scenario.night().loss(), random);
        int screened = 0;
        for (int night = SimulatedScreen.PAST; night < ratios.length; night++) {
            if (screen.starts(ratios, night)) {
                screened++;
                List<SimulatedRerun.Result> results = rerun.of(0, true, scenario.margins());
                for (int m = 0; m < confirmed.length; m++) {
                    confirmed[m] += results.get(m).answer() == SequentialRerun.Answer.CONFIRMED ? 1 : 0;
                }
            }
        }
        return screened;
    }

    Detection detection(SimulationSetup.Slowdown slowdown, Random random) {
        int first = scenario.history();
        double change = StrictMath.log1p(slowdown.change());
        IntToDoubleFunction level = night -> night < first ? 0 : change;
        SimulatedWatch watch = watch(nights(first + scenario.followed(), level, random), level, random)
                .watched(first + 1);
        int[] suspected = watch.suspects().stream()
                .filter(suspect -> isIt(suspect, first))
                .mapToInt(suspect -> suspect.night - first)
                .toArray();
        List<Detection.Confirmed> confirmed = new ArrayList<>();
        for (int m = 0; m < scenario.deltas().size(); m++) {
            int margin = m;
            int[] nights = watch.messages().stream()
                    .filter(message -> message.margin() == margin && isIt(message.suspect(), first))
                    .mapToInt(message -> message.night() - first)
                    .toArray();
            confirmed.add(new Detection.Confirmed(scenario.deltas().get(m), firstOf(nights)));
        }
        return new Detection(slowdown, 1, firstOf(suspected), confirmed, watch.digest());
    }

    private static boolean isIt(SimulatedWatch.Suspect suspect, int first) {
        return suspect.slower && suspect.night >= first && StrictMath.abs(suspect.index - first) <= NEAR;
    }

    /** Ones and zeros by night: 1 on the earliest. */
    private List<Integer> firstOf(int[] nights) {
        Integer[] counts = new Integer[scenario.followed()];
        Arrays.fill(counts, 0);
        Arrays.stream(nights).min().ifPresent(night -> counts[night] = 1);
        return List.of(counts);
    }

    private SimulatedNights nights(int nights, IntToDoubleFunction level, Random random) {
        return SimulatedNights.of(scenario, noise, scenario.night().spread(), nights, level, random);
    }

    private SimulatedWatch watch(SimulatedNights nights, IntToDoubleFunction level, Random random) {
        return new SimulatedWatch(
                new SimulatedRerun(
                        noise, scenario.night().spread(), scenario.night().loss(), random),
                level,
                scenario.margins(),
                nights);
    }
}
