package dev.loomboard.runpages;

import dev.loomboard.view.TrialLook;
import java.util.List;

/**
 * How many trials of a run ended how.
 *
 * @param trials of any state
 * @param invalid trials that are done but whose load generator was not healthy: never ranked
 */
public record TrialCounts(int trials, int done, int invalid, int failed, int aborted) {

    static TrialCounts of(List<RunDetail.Trial> trials) {
        return new TrialCounts(
                trials.size(),
                count(trials, TrialLook.DONE),
                count(trials, TrialLook.INVALID),
                count(trials, TrialLook.FAILED),
                count(trials, TrialLook.ABORTED));
    }

    private static int count(List<RunDetail.Trial> trials, TrialLook look) {
        return (int) trials.stream().filter(t -> t.look() == look).count();
    }

    public int ended() {
        return done + invalid + failed + aborted;
    }
}
