package dev.loomboard.changepoint;

import dev.loomboard.stats.change.ChangePoint;
import dev.loomboard.stats.change.Detector;
import dev.loomboard.stats.change.FollowUpPolicy;
import java.util.ArrayList;
import java.util.List;

/**
 * A change point as the detector reports it now, in terms of builds. A JDK can only change where a build begins and the
 * detector is off by up to {@link FollowUpPolicy#MERGED} points, so it is put where a build begins, if one does that near. Levels of too few
 * points are left out ({@link FollowUpPolicy#tellsApart}).
 *
 * @param end of the new level: the index after its last point
 * @param start of the level before
 * @param place index of the first point of the new level
 * @param build of that point
 * @param good newest build that is surely of the level before; the same: the level moved
 *     while the build stayed
 */
record DetectedChange(ChangePoint found, int start, int end, int place, long pointId, long build, long good) {

    boolean ofTheBuild() {
        return build != good;
    }

    static List<DetectedChange> of(ComparablePoints watched) {
        List<ChangePoint> found = Detector.DEFAULT.changePoints(watched.values());
        List<DetectedChange> detected = new ArrayList<>();
        for (int i = 0; i < found.size(); i++) {
            int start = i == 0 ? 0 : found.get(i - 1).index();
            int end = i + 1 == found.size()
                    ? watched.points().size()
                    : found.get(i + 1).index();
            if (FollowUpPolicy.tellsApart(start, end)) {
                detected.add(of(watched, found.get(i), start, end));
            }
        }
        return detected;
    }

    private static DetectedChange of(ComparablePoints watched, ChangePoint found, int start, int end) {
        int place = place(watched, found.index());
        ComparablePoints.Seen first = watched.points().get(place);
        long good = watched.points().get(FollowUpPolicy.lastGood(place)).build();
        return new DetectedChange(found, start, end, place, first.pointId(), first.build(), good);
    }

    /** The nearest beginning of a build; of two equally near the earlier. */
    private static int place(ComparablePoints watched, int index) {
        for (int off = 0; off <= FollowUpPolicy.MERGED; off++) {
            if (begins(watched, index - off)) {
                return index - off;
            }
            if (begins(watched, index + off)) {
                return index + off;
            }
        }
        return index;
    }

    private static boolean begins(ComparablePoints watched, int index) {
        return index > 0 && index < watched.points().size() && watched.beginning(index) == index;
    }
}
