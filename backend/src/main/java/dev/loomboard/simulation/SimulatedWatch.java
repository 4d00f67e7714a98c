package dev.loomboard.simulation;

import dev.loomboard.stats.Autocorrelation;
import dev.loomboard.stats.Better;
import dev.loomboard.stats.ChangePoint;
import dev.loomboard.stats.Confirmation;
import dev.loomboard.stats.Detector;
import dev.loomboard.stats.FollowUpPolicy;
import dev.loomboard.stats.Margin;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;

/** One series watched night by night, as the service watches it. Nights count from 0, as the points do. */
final class SimulatedWatch {

    private final SimulatedRerun rerun;
    private final List<Margin> margins;
    private final Map<Integer, List<ChangePoint>> known = new HashMap<>();
    private final List<Suspect> suspects = new ArrayList<>();
    private final List<Message> messages = new ArrayList<>();
    private int standing;
    private double digest;

    /** A change point, which stays where it was first seen. */
    static final class Suspect {
        final int index;
        final int night;
        final boolean slower;
        private boolean tested;

        private Suspect(ChangePoint point, int night) {
            this.index = point.index();
            this.night = night;
            this.slower = point.after() > point.before();
        }
    }

    /**
     * A suspect that is confirmed, which people are told of.
     *
     * @param margin ordinal of the margin it exceeds
     * @param byRerun else by its history
     */
    record Message(Suspect suspect, int margin, int night, boolean byRerun) {}

    SimulatedWatch(SimulatedRerun rerun, List<Margin> margins) {
        this.rerun = rerun;
        this.margins = margins;
    }

    List<Suspect> suspects() {
        return suspects;
    }

    List<Message> messages() {
        return messages;
    }

    /** Change points that are there as of the last night. */
    int standing() {
        return standing;
    }

    /** Sum of the p that were reckoned: what tells that a formula gives something else than it gave. */
    double digest() {
        return digest;
    }

    /** @param values of all nights up to this one */
    void night(double[] values) {
        int night = values.length - 1;
        List<ChangePoint> points = Detector.DEFAULT.changePoints(values, known);
        standing = points.size();
        for (int i = 0; i < points.size(); i++) {
            ChangePoint point = points.get(i);
            Optional<Suspect> old = suspects.stream()
                    .filter(s -> FollowUpPolicy.same(s.index, point.index()))
                    .findFirst();
            Suspect suspect = old.orElseGet(() -> suspected(point, night));
            if (!suspect.tested && values.length - point.index() >= FollowUpPolicy.POINTS) {
                suspect.tested = true;
                int end = i + 1 < points.size() ? points.get(i + 1).index() : values.length;
                int start = i > 0 ? points.get(i - 1).index() : 0;
                history(suspect, values, start, point.index(), end);
            }
        }
    }

    private Suspect suspected(ChangePoint point, int night) {
        Suspect suspect = new Suspect(point, night);
        suspects.add(suspect);
        SimulatedRerun.Result result = rerun.of(FollowUpPolicy.lastGood(point.index()), night);
        for (int m = 0; m < margins.size(); m++) {
            if (FollowUpPolicy.confirms(point, Better.LOWER, result.verdict(margins.get(m)))) {
                messages.add(new Message(suspect, m, night, true));
            }
        }
        digest += point.p() + result.effect().p();
        return suspect;
    }

    private void history(Suspect suspect, double[] values, int start, int index, int end) {
        for (int m = 0; m < margins.size(); m++) {
            int margin = m;
            if (messages.stream().anyMatch(message -> message.margin == margin && message.suspect == suspect)) {
                continue;
            }
            double r = Autocorrelation.of(levels(values, index, margin));
            Confirmation confirmation =
                    Confirmation.of(margins.get(m), list(values, start, index), list(values, index, end), r);
            if (confirmation.confirmed()) {
                messages.add(new Message(suspect, m, values.length - 1, false));
            }
            Double p = confirmation.p();
            digest += r + (p == null ? 0 : p);
        }
    }

    /** What lies between confirmed changes, and the one that is being tested. */
    private List<double[]> levels(double[] values, int index, int margin) {
        TreeSet<Integer> bounds = new TreeSet<>(List.of(0, index, values.length));
        messages.stream().filter(m -> m.margin == margin).forEach(m -> bounds.add(m.suspect.index));
        List<double[]> levels = new ArrayList<>();
        int from = 0;
        for (int to : bounds.tailSet(0, false)) {
            levels.add(Arrays.copyOfRange(values, from, to));
            from = to;
        }
        return levels;
    }

    private static List<Double> list(double[] values, int start, int end) {
        return Arrays.stream(values, start, end).boxed().toList();
    }
}
