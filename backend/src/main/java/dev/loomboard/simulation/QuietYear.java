package dev.loomboard.simulation;

import java.util.ArrayList;
import java.util.List;

/**
 * What was said of series in which nothing changed for a year.
 *
 * @param series that were watched, a year each
 * @param suspects of all of them: each costs a rerun
 * @param standing suspects that the detector still has at the year's end
 * @param unattributed shifts that history alone would have confirmed at the smallest margin, and nothing else did
 * @param screened reruns that the nightly screen starts
 * @param digest see {@link SimulatedWatch#digest}
 */
public record QuietYear(
        int series,
        int suspects,
        int standing,
        int unattributed,
        int screened,
        List<Messages> messages,
        double digest) {

    /**
     * Of one margin, and what confirmed them wrongly.
     *
     * @param byHistory against the control
     * @param byScreen by reruns that the nightly screen starts
     */
    public record Messages(double delta, int byRerun, int byHistory, int byScreen) {}

    QuietYear plus(QuietYear other) {
        List<Messages> both = new ArrayList<>();
        for (int i = 0; i < messages.size(); i++) {
            Messages one = messages.get(i);
            Messages two = other.messages.get(i);
            both.add(new Messages(
                    one.delta, one.byRerun + two.byRerun, one.byHistory + two.byHistory, one.byScreen + two.byScreen));
        }
        return new QuietYear(
                series + other.series,
                suspects + other.suspects,
                standing + other.standing,
                unattributed + other.unattributed,
                screened + other.screened,
                both,
                digest + other.digest);
    }
}
