package dev.loomboard.regression;

import dev.loomboard.scenario.Load;
import dev.loomboard.stats.change.SequentialRerun;
import dev.loomboard.verdict.DeclaredTest;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A suspected change that waits for a rerun, or for the next look at its rerun.
 *
 * @param key internal key
 * @param id external id
 * @param origin where its new level was first measured
 * @param group of its cell, as {@link dev.loomboard.expansion.TrialPlan#group}
 * @param metric name in the catalogue
 * @param p of the detector
 * @param blocks of the looks at its rerun that there were
 * @param screened the nightly screen raised it, and the detector does not report it
 */
record Suspect(
        long key,
        String id,
        Origin origin,
        String group,
        Load load,
        String metric,
        double p,
        Instant detectedAt,
        int blocks,
        boolean screened) {

    /**
     * Suspects that differ in nothing of it are followed up together: the run that they come from, two builds, and the look.
     *
     * @param looks at its rerun that there were
     * @param follows the run of the newest of them; null: there was none
     */
    record Origin(
            long run,
            long goodBuild,
            long newBuild,
            int looks,
            @Nullable Long follows) {

        /** Internal keys. */
        List<Long> builds() {
            return List.of(goodBuild, newBuild);
        }
    }

    /** It waits until the night's reruns have time for it. */
    boolean waits() {
        return screened && origin.looks() == 0;
    }

    /** As an owner asks for it: the night's reruns need not have time for it. */
    Suspect asked() {
        return new Suspect(key, id, origin, group, load, metric, p, detectedAt, blocks, false);
    }

    /** Blocks that the next look needs. */
    int further() {
        return SequentialRerun.further(origin.looks(), blocks);
    }

    /** Why no rerun could answer it, in words; null: one could. */
    @Nullable
    String hopeless() {
        if (origin.goodBuild() == origin.newBuild()) {
            return "both levels were measured on one build, so a rerun of two builds cannot compare them";
        }
        return DeclaredTest.metrics(load).contains(metric)
                ? null
                : "this metric has no verdict, so a rerun could not decide";
    }
}
