package dev.loomboard.ingest;

import dev.loomboard.cell.RunState;
import dev.loomboard.measurement.Batch;
import dev.loomboard.measurement.TrialStart;
import dev.loomboard.web.Problem;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Decides about a sound batch, given what is stored of its trial. */
sealed interface Admission {

    String MISSING = "is missing: the trial's load is not closed";
    String NO_INTENTION = "must be left out: the trial's load is closed, no hit of it has an intended send time";

    /**
     * It is to be stored.
     *
     * @param late it came under a superseded lease: it is kept, never ranked, and changes no state
     * @param completes with it every batch of the trial is stored
     */
    record Store(boolean late, boolean completes) implements Admission {}

    /** The very same is stored: nothing to do. */
    record Again() implements Admission {}

    record Never(Problem problem) implements Admission {}

    /** The trial's run, locked. */
    record Run(long key, long fencing, RunState state) {}

    /**
     * The trial as it is stored.
     *
     * @param fencing lease under which it was planned
     * @param planned nothing has told of it yet
     * @param expected how many batches it has; null: its end is not stored
     * @param jdk its server runs on one
     * @param connections that its load keeps busy; null: its load is not closed
     * @param stored how many of them are stored
     * @param highest highest number of those; −1: none
     * @param size of what is stored
     * @param samplesRemoved its raw samples were removed because of their age
     * @param sha256 of the stored batch with the number in question; null: none
     */
    record Trial(
            long key,
            long workspace,
            long fencing,
            boolean planned,
            @Nullable Integer expected,
            boolean jdk,
            @Nullable Integer connections,
            int stored,
            int highest,
            TrialSize size,
            boolean samplesRemoved,
            byte @Nullable [] sha256) {

        boolean sealed() {
            return expected != null && stored >= expected;
        }
    }

    static Admission of(Run run, Trial trial, BatchReader.Sound sound) {
        Batch batch = sound.batch();
        if (trial.sha256() != null) {
            return Arrays.equals(trial.sha256(), sound.sha256())
                    ? new Again()
                    : new Never(Problem.conflict(
                            "other-batch", "Batch " + batch.seq() + " of this trial is stored with other content."));
        }
        if (batch.fencing() != trial.fencing()) {
            return invalid("fencing", "must be " + trial.fencing() + ", the lease under which the trial was planned");
        }
        Integer expected = trial.expected();
        if (trial.sealed() || (expected != null && batch.seq() >= expected)) {
            return new Never(Problem.gone(
                    "sealed",
                    "The trial ended with batch " + (expected == null ? 0 : expected - 1) + ": it takes no more."));
        }
        if (trial.samplesRemoved()) {
            return new Never(Problem.gone(
                    "samples-removed", "The trial's raw samples were removed because of their age: it takes no more."));
        }
        if (batch.end() != null && expected != null) {
            return invalid("end", "is stored already, with batch " + (expected - 1));
        }
        if (batch.end() != null && trial.highest() > batch.seq()) {
            return invalid("end.batches", "cannot be: batch " + trial.highest() + " is stored already");
        }
        TrialStart start = batch.start();
        if (start != null && (start.jdk() != null) != trial.jdk()) {
            return invalid(
                    "start.jdk",
                    trial.jdk() ? "is missing: the trial is one on a JDK" : "must be left out: the server has no JVM");
        }
        Never otherLoad = otherLoad(trial.connections(), batch);
        if (otherLoad != null) {
            return otherLoad;
        }
        Problem excess = trial.size().plus(sound.size()).excess();
        if (excess != null) {
            return new Never(excess);
        }
        boolean late = batch.fencing() < run.fencing() || run.state().isOver();
        return new Store(late, completes(trial, batch));
    }

    /** What an open load has, a closed one has not: a batch of the other kind is not of this trial's load. */
    private static @Nullable Never otherLoad(@Nullable Integer connections, Batch batch) {
        for (int i = 0; i < batch.windows().size(); i++) {
            if ((batch.windows().get(i).times().response() == null) != (connections != null)) {
                return invalid("windows[" + i + "].response", connections == null ? MISSING : NO_INTENTION);
            }
        }
        for (int i = 0; i < batch.steps().size(); i++) {
            Integer stated = batch.steps().get(i).connections();
            if (!Objects.equals(stated, connections)) {
                return invalid(
                        "steps[" + i + "].connections",
                        connections == null
                                ? "must be left out: the trial's load is not closed"
                                : "must be " + connections + ", as the trial's load says, is: "
                                        + (stated == null ? "missing" : stated));
            }
        }
        return null;
    }

    private static boolean completes(Trial trial, Batch batch) {
        Integer expected =
                batch.end() == null ? trial.expected() : (Integer) batch.end().batches();
        return expected != null && trial.stored() + 1 == expected;
    }

    private static Never invalid(String field, String message) {
        return new Never(Problem.invalid(field, message));
    }
}
