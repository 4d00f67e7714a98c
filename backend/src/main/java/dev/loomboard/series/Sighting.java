package dev.loomboard.series;

import dev.loomboard.stats.ChangePoint;
import dev.loomboard.stats.Detector;
import dev.loomboard.stats.Retest;
import java.util.ArrayList;
import java.util.List;

/**
 * A change point as the detector reports it now, in terms of builds. A JDK can only change where a build begins and the
 * detector is off by up to {@link Retest#MERGED} points, so it is put where a build begins, if one does that near.
 *
 * @param end of the new level: the index after its last point
 * @param start of the level before
 * @param place index of the first point of the new level
 * @param build of that point; @param good newest build that is surely of the level before; the same: the level moved
 *     while the build stayed
 */
record Sighting(ChangePoint found, int start, int end, int place, long pointId, long build, long good) {

    boolean ofTheBuild() {
        return build != good;
    }

    static List<Sighting> of(Watched watched) {
        List<ChangePoint> found = Detector.DEFAULT.changePoints(watched.values());
        List<Sighting> sightings = new ArrayList<>();
        for (int i = 0; i < found.size(); i++) {
            int start = i == 0 ? 0 : found.get(i - 1).index();
            int end = i + 1 == found.size()
                    ? watched.points().size()
                    : found.get(i + 1).index();
            sightings.add(of(watched, found.get(i), start, end));
        }
        return sightings;
    }

    private static Sighting of(Watched watched, ChangePoint found, int start, int end) {
        int place = place(watched, found.index());
        Watched.Seen first = watched.points().get(place);
        long good = watched.points().get(Retest.lastGood(place)).build();
        return new Sighting(found, start, end, place, first.pointId(), first.build(), good);
    }

    /** The nearest beginning of a build; of two equally near the earlier. */
    private static int place(Watched watched, int index) {
        for (int off = 0; off <= Retest.MERGED; off++) {
            if (begins(watched, index - off)) {
                return index - off;
            }
            if (begins(watched, index + off)) {
                return index + off;
            }
        }
        return index;
    }

    private static boolean begins(Watched watched, int index) {
        return index > 0 && index < watched.points().size() && watched.beginning(index) == index;
    }
}
