package dev.loomboard.simulation;

import java.util.ArrayList;
import java.util.List;

/**
 * What was said of series in which nothing changed for a year.
 *
 * @param series that were watched, a year each; @param suspects of all of them: each costs a rerun
 * @param standing suspects that the detector still has at the year's end
 * @param digest see {@link SimulatedWatch#digest}
 */
public record QuietYear(int series, int suspects, int standing, List<Messages> messages, double digest) {

    /** Of one margin, and what confirmed them wrongly. */
    public record Messages(double delta, int byRerun, int byHistory) {}

    QuietYear plus(QuietYear other) {
        List<Messages> both = new ArrayList<>();
        for (int i = 0; i < messages.size(); i++) {
            Messages one = messages.get(i);
            Messages two = other.messages.get(i);
            both.add(new Messages(one.delta, one.byRerun + two.byRerun, one.byHistory + two.byHistory));
        }
        return new QuietYear(
                series + other.series,
                suspects + other.suspects,
                standing + other.standing,
                both,
                digest + other.digest);
    }
}
