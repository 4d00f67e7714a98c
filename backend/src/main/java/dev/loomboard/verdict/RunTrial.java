package dev.loomboard.verdict;

import dev.loomboard.cell.TrialState;
import dev.loomboard.measurement.Steadiness;
import dev.loomboard.measurement.Validity;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A scored trial of a run, the newest of its cell and number, as judging needs it.
 *
 * @param cell internal key
 * @param ordinal which trial of its cell, from 1; of a rerun see {@link #look}
 * @param fencing the lease it was planned under: trials of two leases did not run next to each other
 * @param validity null: it measured nothing
 * @param steady null: its phases had fixed times
 */
public record RunTrial(
        long cell,
        int ordinal,
        long fencing,
        TrialState state,
        @Nullable Validity validity,
        @Nullable Steadiness steady,
        @Nullable String serverDigest,
        @Nullable String fingerprint,
        Map<String, Value> metrics) {

    /** @param reason why it is not eligible */
    public record Value(
            double value, boolean eligible, @Nullable String reason) {}

    /** Trials of a rerun's later looks are numbered on from the next multiple of it. */
    static final int TRIALS_OF_A_LOOK = 10_000;

    public RunTrial {
        metrics = Map.copyOf(metrics);
    }

    public RunTrial with(Map<String, Value> values) {
        return new RunTrial(cell, ordinal, fencing, state, validity, steady, serverDigest, fingerprint, values);
    }

    /** As if it stood elsewhere in a run. */
    public RunTrial at(long place, int number) {
        return new RunTrial(place, number, fencing, state, validity, steady, serverDigest, fingerprint, metrics);
    }

    /** Which look of its rerun it was made for, from 1; of a run that is looked at once 1. */
    int look() {
        return 1 + ordinal / TRIALS_OF_A_LOOK;
    }

    /** By itself: what was cut off from outside is no outcome of the server's. */
    public boolean ended() {
        return state == TrialState.DONE || state == TrialState.FAILED;
    }

    /** Why none of its values can stand in a block, in words; null: they can. */
    @Nullable
    public String spoilt() {
        if (state != TrialState.DONE) {
            return "failed";
        }
        if (validity == null) {
            return "measured nothing";
        }
        if (validity == Validity.INVALID) {
            return validity.wire();
        }
        return steady == Steadiness.NO_STEADY_STATE ? "never reached a steady state" : null;
    }

    /** Why its value cannot stand in a block, in words; null: it can. */
    @Nullable
    public String unusable(String metric) {
        String spoilt = spoilt();
        if (spoilt != null) {
            return spoilt;
        }
        Value value = metrics.get(metric);
        if (value == null) {
            return "has no such value";
        }
        return value.eligible() ? null : value.reason() == null ? "not eligible" : value.reason();
    }

    /** Of the hits that were offered, as a share; empty: not measured. */
    public Optional<Double> failedShare() {
        return Optional.ofNullable(metrics.get(DeclaredTest.FAILED)).map(Value::value);
    }

    public boolean suspect() {
        return validity == Validity.SUSPECT;
    }

    public double value(String metric) {
        Value value = metrics.get(metric);
        if (value == null) {
            throw new IllegalStateException("trial " + ordinal + " of cell " + cell + " has no " + metric);
        }
        return value.value();
    }
}
