package dev.loomboard.simulation;

import dev.loomboard.stats.Margin;
import dev.loomboard.stats.Scale;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.IntToDoubleFunction;

/** What comes of one simulated series: of a year without a change, and of each seeded slowdown. */
record SimulatedSeries(SimulationSetup scenario, Noise noise) {

    /** In whatever unit: δ is a share. */
    static final double LEVEL = 100;

    /** A suspect so many points from a seeded slowdown is held to be it. */
    private static final int NEAR = 5;

    QuietYear year(Random random) {
        double[] values = values(random, scenario.nights(), night -> 0);
        SimulatedWatch watch = watched(random, values, 1, night -> 0);
        List<QuietYear.Messages> messages = new ArrayList<>();
        for (int m = 0; m < scenario.deltas().size(); m++) {
            int margin = m;
            int byRerun = (int) watch.messages().stream()
                    .filter(message -> message.margin() == margin && message.byRerun())
                    .count();
            int all = (int) watch.messages().stream()
                    .filter(message -> message.margin() == margin)
                    .count();
            messages.add(new QuietYear.Messages(scenario.deltas().get(m), byRerun, all - byRerun));
        }
        return new QuietYear(1, watch.suspects().size(), watch.standing(), messages, watch.digest());
    }

    Detection detection(SimulationSetup.Slowdown slowdown, Random random) {
        int first = scenario.history();
        double change = StrictMath.log1p(slowdown.change());
        IntToDoubleFunction level = night -> night < first ? 0 : change;
        double[] values = values(random, first + scenario.followed(), level);
        SimulatedWatch watch = watched(random, values, first + 1, level);
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

    private double[] values(Random random, int nights, IntToDoubleFunction level) {
        double[] values = noise.draw(random, nights);
        for (int i = 0; i < nights; i++) {
            values[i] = LEVEL * StrictMath.exp(scenario.spread() * values[i] + level.applyAsDouble(i));
        }
        return values;
    }

    private SimulatedWatch watched(Random random, double[] values, int fromLength, IntToDoubleFunction level) {
        List<Margin> margins = scenario.deltas().stream()
                .map(delta -> new Margin(Scale.LN, delta, 0))
                .toList();
        SimulatedWatch watch = new SimulatedWatch(
                new SimulatedRerun(noise, scenario.spread(), scenario.family(), level, random), margins);
        for (int length = fromLength; length <= values.length; length++) {
            watch.night(Arrays.copyOf(values, length));
        }
        return watch;
    }
}
