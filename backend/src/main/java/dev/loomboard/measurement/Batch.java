package dev.loomboard.measurement;

import dev.loomboard.kernel.FieldChecks;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A sealed stretch of one trial. Its JSON is the wire's Batch.
 *
 * @param fencing the lease its sender held
 * @param start in batch 0 and only there
 * @param end in the last batch and only there
 */
public record Batch(
        String schema,
        String trialId,
        long fencing,
        int seq,
        @Nullable TrialStart start,
        List<PhaseEntry> phases,
        @Nullable Ticks ticks,
        List<Window> windows,
        List<Step> steps,
        @Nullable TrialEnd end) {

    public static final String SCHEMA = "loomboard.batch/1";
    private static final Pattern TRIAL_ID = Pattern.compile("trl_[a-z2-7]{20}");
    static final int MOST_BATCHES = 10_000;

    public Batch {
        if (!SCHEMA.equals(FieldChecks.present("schema", schema))) {
            throw new FieldChecks.Refused("schema", "must be " + SCHEMA);
        }
        FieldChecks.matching("trialId", trialId, TRIAL_ID);
        FieldChecks.between("fencing", fencing, 1, Long.MAX_VALUE);
        FieldChecks.between("seq", seq, 0, MOST_BATCHES - 1);
        if ((seq == 0) != (start != null)) {
            throw new FieldChecks.Refused("start", "must be in batch 0 and only there");
        }
        if (end != null && end.batches() != seq + 1) {
            throw new FieldChecks.Refused("end.batches", "must be " + (seq + 1) + ": the end is in the last batch");
        }
        phases = FieldChecks.listOrNull("phases", phases, 5000);
        windows = FieldChecks.listOrNull("windows", windows, 2000);
        steps = FieldChecks.listOrNull("steps", steps, 500);
        inOrder(phases);
        // Windows are sealed as they are finished: a slow answer makes one come after the next.
        distinct("windows", "atNs", windows.stream().map(Window::atNs).toList());
        distinct("steps", "ordinal", steps.stream().map(s -> (long) s.ordinal()).toList());
    }

    /** The trial entered a phase. */
    public record PhaseEntry(Phase phase, long atNs) {
        public PhaseEntry {
            FieldChecks.present("phase", phase);
            FieldChecks.notNegative("atNs", atNs);
        }
    }

    private static void inOrder(List<PhaseEntry> phases) {
        for (int i = 1; i < phases.size(); i++) {
            FieldChecks.ascending(
                    "phases[" + i + "].atNs",
                    phases.get(i - 1).atNs() - 1,
                    phases.get(i).atNs());
        }
    }

    private static void distinct(String list, String field, List<Long> values) {
        Set<Long> seen = new HashSet<>();
        List<Long> all = new ArrayList<>(values);
        for (int i = 0; i < all.size(); i++) {
            if (!seen.add(all.get(i))) {
                throw new FieldChecks.Refused(list + "[" + i + "]." + field, "is there twice: " + all.get(i));
            }
        }
    }
}
