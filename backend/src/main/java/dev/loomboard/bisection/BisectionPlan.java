package dev.loomboard.bisection;

import dev.loomboard.view.Format;
import dev.loomboard.view.Sentence;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What a bisection would cost, before it is started.
 *
 * @param known builds between the last good one and the first of the new level
 * @param present of them on the machine, or to be brought there again
 * @param comesAgain of those that can be measured, the ends among them, which the machine's JDK provider must bring again
 * @param trialSeconds what a trial of the rerun took in the mean; null with {@code reason}
 * @param blocks of a step
 * @param expectedSteps roughly, in the mean
 * @param mostSteps after which it ends
 * @param reason why there can be none; null: there can
 */
public record BisectionPlan(
        int known,
        int present,
        int comesAgain,
        @Nullable Double trialSeconds,
        int blocks,
        int expectedSteps,
        int mostSteps,
        @Nullable String reason) {

    /** A step measures two builds. */
    static int trials(int steps, int blocks) {
        return steps * blocks * 2;
    }

    public int mostTrials() {
        return trials(mostSteps, blocks);
    }

    /** Of the builds between, those that it can look at. */
    public String searched() {
        String found = present == known
                ? Format.of(known, "build") + " between them, all on the machine"
                : present + " of the " + known
                        + " builds between them are on the machine; the others cannot be distinguished";
        return comesAgain == 0
                ? found
                : found + ". The machine's JDK provider brings " + comesAgain
                        + " of them again, which the machine has no more";
    }

    public String cost() {
        return trialSeconds == null ? "" : cost(expectedSteps, mostSteps, blocks, trialSeconds);
    }

    static String cost(int expected, int most, int blocks, double trialSeconds) {
        return "about " + Format.of(expected, "step") + ", at most " + most + ", of "
                + Format.of(blocks, "block") + " each: " + trials(expected, blocks) + " trials, at most "
                + trials(most, blocks) + "; about " + time(trials(expected, blocks) * trialSeconds)
                + " of the machine's time, at most " + time(trials(most, blocks) * trialSeconds) + " (a trial took "
                + time(trialSeconds) + " in the rerun)";
    }

    private static String time(double seconds) {
        return Format.duration(Duration.ofSeconds(Math.round(seconds)));
    }

    /** Why there can be none, as a sentence; empty: there can. */
    public String words() {
        return reason == null ? "" : Sentence.of(reason);
    }
}
