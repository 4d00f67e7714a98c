package dev.loomboard.measurement;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.loomboard.kernel.FieldChecks;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.ToLongFunction;

/**
 * What came of the hits of one operation of a mix in a step, counted and entered as the step does for all of them. Its JSON is the
 * wire's Operation. Lag is the step's alone: it is the generator's, whatever is sent.
 *
 * @param weight how often it is drawn, against the others
 * @param completedInStep successes that were answered within the step, as the step's outcomes have it
 */
public record MixOperation(
        String name,
        int weight,
        @JsonUnwrapped Step.Counts counts,
        long completedInStep,
        List<Step.ErrorClass> errors,
        @JsonUnwrapped Step.Times times) {

    /** Of one mix. */
    public static final int MOST = 50;

    public static final int HEAVIEST = 1000;

    public MixOperation {
        FieldChecks.matching("name", name, FieldChecks.SLUG);
        FieldChecks.between("weight", weight, 1, HEAVIEST);
        FieldChecks.notNegative("completedInStep", completedInStep);
        errors = FieldChecks.list("errors", errors, 50);
        times.checkResponse();
    }

    /**
     * All operations of a step.
     *
     * @param open whether its load has response times
     */
    static List<MixOperation> checked(List<MixOperation> stated, boolean open) {
        List<MixOperation> all = FieldChecks.list("operations", stated, MOST);
        if (all.isEmpty()) {
            throw new FieldChecks.Refused("operations", "must not be empty: left out, the workload is no mix");
        }
        Set<String> names = new HashSet<>();
        for (int i = 0; i < all.size(); i++) {
            if (!names.add(all.get(i).name())) {
                throw new FieldChecks.Refused(
                        "operations[" + i + "].name",
                        "is there twice: " + all.get(i).name());
            }
            if ((all.get(i).times().response() != null) != open) {
                throw new FieldChecks.Refused(
                        "operations[" + i + "].response",
                        open ? "is missing: the step has a rate" : "must be left out: the step has connections");
            }
        }
        return all;
    }

    /** Refuses operations that are not the step once more. */
    static void sum(List<MixOperation> all, Step.Counts whole, long completedInStep) {
        sum("offered", all, o -> o.counts().offered(), whole.offered());
        sum("sent", all, o -> o.counts().sent(), whole.sent());
        sum("completed", all, o -> o.counts().completed(), whole.completed());
        sum("failed", all, o -> o.counts().failed(), whole.failed());
        sum("unfinished", all, o -> o.counts().unfinished(), whole.unfinished());
        sum("completedInStep", all, MixOperation::completedInStep, completedInStep);
    }

    private static void sum(String field, List<MixOperation> all, ToLongFunction<MixOperation> of, long whole) {
        long sum = all.stream().mapToLong(of).sum();
        if (sum != whole) {
            throw new FieldChecks.Refused(
                    "operations", "have " + sum + " " + field + " together, the step has " + whole);
        }
    }
}
