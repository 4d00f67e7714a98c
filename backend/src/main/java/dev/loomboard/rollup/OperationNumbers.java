package dev.loomboard.rollup;

import dev.loomboard.measurement.Step;
import java.util.List;
import java.util.Map;

/**
 * One operation of a mix in a step of a trial.
 *
 * @param step its ordinal
 * @param weight how often it is drawn, against the others
 * @param completedInStep successes that were answered within the step: the work done
 * @param errors of its failures
 * @param metrics by name of the catalogue; empty until the trial has ended
 */
public record OperationNumbers(
        int step,
        String name,
        int weight,
        long offered,
        long sent,
        long completed,
        long failed,
        long unfinished,
        long completedInStep,
        List<Step.ErrorClass> errors,
        Map<String, MetricValue> metrics) {

    /** Of the hits that a mix intended. */
    public double share(long all) {
        return all == 0 ? 0 : (double) offered / all;
    }
}
