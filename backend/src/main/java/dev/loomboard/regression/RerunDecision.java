package dev.loomboard.regression;

import dev.loomboard.catalog.Metrics;
import dev.loomboard.changepoint.ChangeStatus;
import dev.loomboard.stats.Better;
import dev.loomboard.stats.change.ChangePoint;
import dev.loomboard.stats.change.FollowUpPolicy;
import dev.loomboard.stats.change.SequentialRerun;
import dev.loomboard.stats.paired.Verdict;
import dev.loomboard.view.Format;
import org.jspecify.annotations.Nullable;

/**
 * A look at a rerun that is over, as it answers one suspect: confirmed, cleared, or open. Open is never cleared for want of blocks.
 *
 * @param status of the suspect: something else may have decided meanwhile
 * @param suspect as the detector stored it
 * @param look at the rerun, from 1; null: it was made before reruns had looks
 * @param blocks of all looks up to it
 * @param turned the rerun's baseline is the new build: of two builds of one version the names decide which is older
 * @param failure why the run has not ended well, in words; null: it has
 * @param verdict of the declared test; null: none, then {@code noVerdict} says why
 */
record RerunDecision(
        long key,
        ChangeStatus status,
        ChangePoint suspect,
        String metric,
        @Nullable Integer look,
        int blocks,
        boolean turned,
        @Nullable String failure,
        @Nullable Verdict verdict,
        @Nullable String noVerdict) {

    /**
     * @param status null: it stays what it is
     * @param further blocks that the next look needs; null: there is none, so this was the last
     */
    record Decision(
            @Nullable ChangeStatus status,
            String reason,
            @Nullable Integer further) {}

    /** Either route confirms, and neither takes that back. */
    Decision decision() {
        Verdict verdictOfNew = seenFromTheGoodBuild();
        if (verdictOfNew == null) {
            String why = failure == null ? noVerdict : failure;
            return new Decision(
                    null, "the rerun gave no verdict: " + (why == null ? "nothing was measured" : why), null);
        }
        Better better = Metrics.all().get(metric).direction();
        return switch (SequentialRerun.answer(suspect, better, verdictOfNew)) {
            case CONFIRMED ->
                new Decision(
                        status == ChangeStatus.CONFIRMED ? null : ChangeStatus.CONFIRMED,
                        "the rerun says " + verdictOfNew.word() + ", as suspected" + cutShort(),
                        null);
            case CLEARED ->
                new Decision(
                        status == ChangeStatus.SUSPECT ? ChangeStatus.CLEARED : null,
                        "the rerun says " + verdictOfNew.word() + ", not "
                                + suspected(better).word() + " as suspected" + cutShort(),
                        null);
            case OPEN -> open();
        };
    }

    private Decision open() {
        String sofar = "the rerun is open after " + Format.of(blocks, "block") + cutShort();
        int further = look == null || failure != null ? 0 : SequentialRerun.further(look, blocks);
        return further == 0
                ? new Decision(null, sofar + ": too few for a result, so the change stays open", null)
                : new Decision(null, sofar + ": the next look adds " + further + " blocks", further);
    }

    private String cutShort() {
        return failure == null ? "" : ", cut short (" + failure + ")";
    }

    private Verdict suspected(Better better) {
        return FollowUpPolicy.confirms(suspect, better, Verdict.SLOWER) ? Verdict.SLOWER : Verdict.FASTER;
    }

    private @Nullable Verdict seenFromTheGoodBuild() {
        return verdict == null || !turned ? verdict : verdict.turned();
    }
}
