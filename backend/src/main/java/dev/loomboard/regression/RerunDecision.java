package dev.loomboard.regression;

import dev.loomboard.catalog.Metrics;
import dev.loomboard.changepoint.ChangeStatus;
import dev.loomboard.stats.Better;
import dev.loomboard.stats.ChangePoint;
import dev.loomboard.stats.FollowUpPolicy;
import dev.loomboard.stats.Verdict;
import org.jspecify.annotations.Nullable;

/**
 * A rerun that is over, as it answers one suspect.
 *
 * @param status of the suspect: its history may have confirmed or dropped it meanwhile
 * @param looked its history was tested, which is done once
 * @param suspect as the detector stored it
 * @param turned the rerun's baseline is the new build: of two builds of one version the names decide which is older
 * @param failure why the run has not ended well, in words; null: it has
 * @param verdict of the declared test; null: none, then {@code noVerdict} says why
 */
record RerunDecision(
        long key,
        ChangeStatus status,
        boolean looked,
        ChangePoint suspect,
        String metric,
        boolean turned,
        @Nullable String failure,
        @Nullable Verdict verdict,
        @Nullable String noVerdict) {

    /** @param status null: it stays what it is */
    record Decision(@Nullable ChangeStatus status, String reason) {}

    /** Either route confirms, and neither takes that back. Without a verdict its history decides, unless it has. */
    Decision decision() {
        Verdict verdictOfNew = seenFromTheGoodBuild();
        if (verdictOfNew == null) {
            String why = failure == null ? noVerdict : failure;
            return new Decision(
                    looked && open() ? ChangeStatus.DROPPED : null,
                    "the rerun gave no verdict: " + (why == null ? "nothing was measured" : why));
        }
        Better better = Better.of(Metrics.all().get(metric).better()).orElseThrow();
        if (FollowUpPolicy.confirms(suspect, better, verdictOfNew)) {
            return new Decision(
                    status == ChangeStatus.CONFIRMED ? null : ChangeStatus.CONFIRMED,
                    "the rerun says " + verdictOfNew.word() + ", as was suspected");
        }
        Verdict suspected = FollowUpPolicy.confirms(suspect, better, Verdict.SLOWER) ? Verdict.SLOWER : Verdict.FASTER;
        return new Decision(
                open() ? ChangeStatus.DROPPED : null,
                "the rerun says " + verdictOfNew.word() + ", not " + suspected.word() + " as was suspected");
    }

    private boolean open() {
        return status == ChangeStatus.SUSPECT;
    }

    private @Nullable Verdict seenFromTheGoodBuild() {
        return verdict == null || !turned ? verdict : verdict.turned();
    }
}
