package dev.loomboard.changepoint;

import org.jspecify.annotations.Nullable;

/**
 * A change point as it is stored.
 *
 * @param good internal key of a build; {@code build} itself: the level moved while the build stayed
 * @param pointId null: its point is no more
 * @param reported the detector reported it when it last looked
 * @param looked its history was looked at
 * @param onlyScreened the nightly screen raised it, and neither detector nor rerun has borne that out: its place is no change point
 */
record StoredChange(
        long id,
        long seriesId,
        long build,
        long good,
        @Nullable Long pointId,
        boolean reported,
        ChangeStatus status,
        boolean looked,
        boolean onlyScreened) {

    boolean ofTheBuild() {
        return build != good;
    }
}
