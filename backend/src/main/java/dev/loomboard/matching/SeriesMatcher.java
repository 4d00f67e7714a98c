package dev.loomboard.matching;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;

/** Finds for each line of a history that two sides have in common the cells to compare. */
final class SeriesMatcher {

    private SeriesMatcher() {}

    /**
     * @param cell internal key
     * @param row its family is what both sides must share, its build the side
     */
    record Point(long cell, CellMatcher.Row row) {
        String run() {
            return row.side().run();
        }

        String jdk() {
            return Objects.requireNonNull(row.cell().jdk());
        }
    }

    record Two(Point baseline, Point candidate) {}

    /**
     * Of the newest run that has both, since only there may they be judged; else the newest of each on one build.
     *
     * @param points newest first within a line
     */
    static List<Two> of(String baseline, String candidate, List<Point> points) {
        Map<String, List<Point>> candidates = bySide(candidate, points);
        List<Two> pairs = new ArrayList<>();
        bySide(baseline, points).forEach((line, mine) -> {
            List<Point> others = candidates.getOrDefault(line, List.of());
            List<Two> together = together(mine, others);
            pairs.addAll(together.isEmpty() ? apart(mine, others) : together);
        });
        return pairs;
    }

    private static Map<String, List<Point>> bySide(String side, List<Point> points) {
        return points.stream()
                .filter(point -> point.row().build().equals(side))
                .collect(Collectors.groupingBy(point -> point.row().family(), LinkedHashMap::new, Collectors.toList()));
    }

    private static List<Two> together(List<Point> mine, List<Point> others) {
        Optional<String> run = mine.stream()
                .map(Point::run)
                .filter(r -> others.stream().anyMatch(other -> other.run().equals(r)))
                .findFirst();
        return run.isEmpty()
                ? List.of()
                : twos(
                        mine.stream().filter(p -> p.run().equals(run.get())).toList(),
                        others.stream().filter(p -> p.run().equals(run.get())).toList());
    }

    private static List<Two> apart(List<Point> mine, List<Point> others) {
        return twos(mine, others).stream().limit(1).toList();
    }

    private static List<Two> twos(List<Point> mine, List<Point> others) {
        return mine.stream()
                .flatMap(point -> others.stream()
                        .filter(other -> other.jdk().equals(point.jdk()))
                        .limit(1)
                        .map(other -> new Two(point, other)))
                .toList();
    }
}
