package dev.loomboard.changepoint;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.loomboard.stats.Better;
import dev.loomboard.stats.change.ChangePoint;
import dev.loomboard.stats.change.Confirmation;
import org.jspecify.annotations.Nullable;

/**
 * A change point as it is to be stored. Keys are internal.
 *
 * @param id null: it is new
 * @param pointId null with {@code goodBuildId}: the stored place stays
 */
record ChangeUpsert(
        @Nullable Long id,
        long seriesId,
        long jdkBuildId,
        @Nullable Long goodBuildId,
        @Nullable Long pointId,
        double qHat,
        double p,
        double before,
        double after,
        ChangeDirection direction,
        @JsonUnwrapped Look look) {

    /**
     * The look at its history, which decides nothing: the split was chosen for being the largest, and the host may have moved.
     *
     * @param looked whether there was one just now; all else is null if not
     * @param reason why it shows no shift; null: it does, so a control has to say whose
     */
    record Look(
            boolean looked,
            @Nullable Double change,
            @Nullable Double historyP,
            @Nullable String reason) {

        private static final Look NONE = new Look(false, null, null, null);
    }

    /** @param look null: none, now */
    static ChangeUpsert of(long seriesId, ChangeReconciliation.Pair pair, Better better, @Nullable Confirmation look) {
        DetectedChange detected = pair.detected();
        ChangePoint found = detected.found();
        StoredChange known = pair.known();
        boolean worse = found.after() > found.before() == (better == Better.LOWER);
        return new ChangeUpsert(
                known == null ? null : known.id(),
                seriesId,
                known == null ? detected.build() : known.build(),
                pair.placed() ? null : Long.valueOf(detected.good()),
                pair.placed() ? null : Long.valueOf(detected.pointId()),
                found.qhat(),
                found.p(),
                found.before(),
                found.after(),
                worse ? ChangeDirection.WORSE : ChangeDirection.BETTER,
                look == null ? Look.NONE : new Look(true, look.change(), look.p(), look.reason()));
    }
}
