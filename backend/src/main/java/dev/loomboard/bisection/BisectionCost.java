package dev.loomboard.bisection;

/**
 * What a bisection takes.
 *
 * @param blocks of each step
 * @param expectedSteps roughly, in the mean
 * @param mostSteps after which it ends
 * @param trialSeconds what a trial of the rerun took in the mean
 */
public record BisectionCost(int blocks, int expectedSteps, int mostSteps, double trialSeconds) {

    public String words() {
        return BisectionPlan.cost(expectedSteps, mostSteps, blocks, trialSeconds);
    }
}
