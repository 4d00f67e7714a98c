package dev.loomboard.simulation;

import dev.loomboard.stats.Autocorrelation;
import dev.loomboard.stats.Margin;
import dev.loomboard.stats.change.ChangePoint;
import dev.loomboard.stats.change.Confirmation;
import dev.loomboard.stats.change.ControlComparison;
import dev.loomboard.stats.change.Detector;
import dev.loomboard.stats.change.FollowUpPolicy;
import dev.loomboard.stats.change.SequentialRerun;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.IntToDoubleFunction;

/** One series watched night by night, as the service watches it. Nights count from 0, as the points do. */
final class SimulatedWatch {

    private final SimulatedRerun rerun;
    private final IntToDoubleFunction level;
    private final List<Margin> margins;
    private final double[] candidate;
    private final double[] control;
    private final Map<Integer, List<ChangePoint>> known = new HashMap<>();
    private final List<Suspect> suspects = new ArrayList<>();
    private final List<Message> messages = new ArrayList<>();
    private int standing;
    private int unattributed;
    private double digest;

    /** A change point, which stays where it was first seen. */
    static final class Suspect {
        final int index;
        final int night;
        final boolean slower;
        private final List<SimulatedRerun.Result> reruns;
        private boolean tested;

        private Suspect(ChangePoint point, int night, List<SimulatedRerun.Result> reruns) {
            this.index = point.index();
            this.night = night;
            this.slower = point.after() > point.before();
            this.reruns = reruns;
        }

        private boolean open(int margin) {
            return reruns.get(margin).answer() == SequentialRerun.Answer.OPEN;
        }
    }

    /**
     * A suspect that is confirmed, which the feed reports.
     *
     * @param margin ordinal of the margin it exceeds
     * @param byRerun else by its nights against the control
     */
    record Message(Suspect suspect, int margin, int night, boolean byRerun) {}

    /**
     * @param level ln of the true level by night, which the rerun finds
     * @param nights what the points show
     */
    SimulatedWatch(SimulatedRerun rerun, IntToDoubleFunction level, List<Margin> margins, SimulatedNights nights) {
        this.rerun = rerun;
        this.level = level;
        this.margins = margins;
        this.candidate = SimulatedNights.values(nights.candidate());
        this.control = SimulatedNights.values(nights.control());
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

    /** Suspects that history alone would have confirmed, of the first margin, and a rerun or the control did not. */
    int unattributed() {
        return unattributed;
    }

    /** Sum of all calculated p: it changes when a formula changes. */
    double digest() {
        return digest;
    }

    SimulatedWatch watched(int fromLength) {
        for (int length = fromLength; length <= candidate.length; length++) {
            night(Arrays.copyOf(candidate, length));
        }
        return this;
    }

    /** @param values of all nights up to this one */
    private void night(double[] values) {
        int night = values.length - 1;
        List<ChangePoint> points = Detector.DEFAULT.changePoints(values, known);
        standing = 0;
        for (int i = 0; i < points.size(); i++) {
            ChangePoint point = points.get(i);
            int end = i + 1 < points.size() ? points.get(i + 1).index() : values.length;
            int start = i > 0 ? points.get(i - 1).index() : 0;
            if (!FollowUpPolicy.tellsApart(start, end)) {
                continue;
            }
            standing++;
            Optional<Suspect> old = suspects.stream()
                    .filter(s -> FollowUpPolicy.same(s.index, point.index()))
                    .findFirst();
            Suspect suspect = old.orElseGet(() -> suspected(point, night));
            if (!suspect.tested && values.length - point.index() >= FollowUpPolicy.POINTS) {
                suspect.tested = true;
                for (int margin = 0; margin < margins.size(); margin++) {
                    history(suspect, margin, values, new int[] {start, point.index(), end});
                }
            }
        }
    }

    private Suspect suspected(ChangePoint point, int night) {
        double change = level.applyAsDouble(night) - level.applyAsDouble(FollowUpPolicy.lastGood(point.index()));
        Suspect suspect = new Suspect(point, night, rerun.of(change, point.after() > point.before(), margins));
        suspects.add(suspect);
        for (int m = 0; m < margins.size(); m++) {
            if (suspect.reruns.get(m).answer() == SequentialRerun.Answer.CONFIRMED) {
                messages.add(new Message(suspect, m, night, true));
            }
            digest += suspect.reruns.get(m).digest();
        }
        digest += point.p();
        return suspect;
    }

    /** @param bounds of the level before and of the new one: start, index and end */
    private void history(Suspect suspect, int margin, double[] values, int[] bounds) {
        if (messages.stream().anyMatch(message -> message.margin == margin && message.suspect == suspect)) {
            return;
        }
        double r = Autocorrelation.of(levels(values, bounds[1], margin));
        Confirmation shifted = Confirmation.of(
                margins.get(margin), list(values, bounds[0], bounds[1]), list(values, bounds[1], bounds[2]), r);
        Double p = shifted.p();
        digest += r + (p == null ? 0 : p);
        if (!shifted.confirmed()) {
            return;
        }
        if (suspect.open(margin) && confirmedAgainstControl(suspect, margin, bounds)) {
            messages.add(new Message(suspect, margin, values.length - 1, false));
        } else {
            unattributed += margin == 0 ? 1 : 0;
        }
    }

    /** By the nights next to the change. */
    private boolean confirmedAgainstControl(Suspect suspect, int margin, int[] bounds) {
        List<ControlComparison.Night> before =
                nights(StrictMath.max(bounds[0], bounds[1] - FollowUpPolicy.POINTS), bounds[1]);
        List<ControlComparison.Night> after =
                nights(bounds[1], StrictMath.min(bounds[2], bounds[1] + FollowUpPolicy.POINTS));
        return ControlComparison.of(margins.get(margin), suspect.slower, before, after)
                .map(ControlComparison::confirms)
                .orElse(false);
    }

    private List<ControlComparison.Night> nights(int from, int to) {
        List<ControlComparison.Night> nights = new ArrayList<>();
        for (int i = from; i < to; i++) {
            nights.add(new ControlComparison.Night(candidate[i], control[i]));
        }
        return nights;
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
