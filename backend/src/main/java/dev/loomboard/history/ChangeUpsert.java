package dev.loomboard.history;

import dev.loomboard.stats.Better;
import dev.loomboard.stats.ChangePoint;
import dev.loomboard.stats.Confirmation;
import org.jspecify.annotations.Nullable;

/**
 * A change point as it is to be stored. Keys are internal.
 *
 * @param id null: it is new
 * @param pointId null with {@code goodBuildId}: the stored place stays
 * @param looked whether its history was looked at just now; then the three that follow, and what comes of it
 * @param status null: as it is stored
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
        String direction,
        boolean looked,
        @Nullable Double change,
        @Nullable Double historyP,
        @Nullable String reason,
        @Nullable String status) {

    /** @param look null: none, now */
    static ChangeUpsert of(long seriesId, ChangeReconciliation.Pair pair, Better better, @Nullable Confirmation look) {
        DetectedChange sighting = pair.sighting();
        ChangePoint found = sighting.found();
        StoredChange known = pair.known();
        boolean worse = found.after() > found.before() == (better == Better.LOWER);
        return new ChangeUpsert(
                known == null ? null : known.id(),
                seriesId,
                known == null ? sighting.build() : known.build(),
                pair.placed() ? null : Long.valueOf(sighting.good()),
                pair.placed() ? null : Long.valueOf(sighting.pointId()),
                found.qhat(),
                found.p(),
                found.before(),
                found.after(),
                worse ? "worse" : "better",
                look != null,
                look == null ? null : look.change(),
                look == null ? null : look.p(),
                look == null ? null : look.reason(),
                look == null ? null : status(look, known));
    }

    /** A look that confirms does so whatever a rerun said; one that does not leaves it to a rerun, if there is one. */
    private static @Nullable String status(Confirmation look, @Nullable StoredChange known) {
        if (look.confirmed()) {
            return "confirmed";
        }
        return known != null && known.rerun() ? null : "dropped";
    }
}
