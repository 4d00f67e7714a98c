package dev.loomboard.changepoint;

import java.util.List;
import java.util.OptionalInt;
import java.util.stream.IntStream;

/**
 * The points of a series that may be compared with each other, in the order of its history: by build, then by time. They
 * were measured on one build of the server and on one host, so what the detector finds among them is neither's doing.
 */
record ComparablePoints(long seriesId, String metric, List<Seen> points) {

    ComparablePoints {
        points = List.copyOf(points);
    }

    /**
     * @param build internal key
     * @param mean over the point's trials, in the catalogue's unit
     */
    record Seen(long pointId, long build, double mean) {}

    double[] values() {
        return points.stream().mapToDouble(Seen::mean).toArray();
    }

    List<Double> between(int from, int to) {
        return points.subList(from, to).stream().map(Seen::mean).toList();
    }

    /** Where a point is; empty: it is not among them. */
    OptionalInt index(long pointId) {
        return IntStream.range(0, points.size())
                .filter(i -> points.get(i).pointId() == pointId)
                .findFirst();
    }

    /** Where the build of the point at {@code index} begins. */
    int beginning(int index) {
        int first = index;
        while (first > 0 && points.get(first - 1).build() == points.get(index).build()) {
            first--;
        }
        return first;
    }
}
