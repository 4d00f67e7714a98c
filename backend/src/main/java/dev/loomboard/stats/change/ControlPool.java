package dev.loomboard.stats.change;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * All builds that stayed while a candidate changed, as one control. In each night it is the geometric mean of those that ran, each
 * divided by a level of its own, which is the middle between what the build was before the change and after it. So a build that ran in
 * some of the nights alone moves none of them, and a shift of the host is seen whole, whichever builds ran when. Each build's middle is
 * an estimate; what its error adds is left out, because it falls out where the build ran in as large a share of both levels.
 *
 * @param builds keys, those that ran in most nights of both levels first
 * @param before nights of the level before
 * @param after of the new one, those next to the change first
 */
public record ControlPool(
        List<Long> builds, List<ControlComparison.Night> before, List<ControlComparison.Night> after) {

    /**
     * What a candidate measured, in the metric's unit, beside builds that stayed.
     *
     * @param controls by key
     */
    public record Night(double candidate, Map<Long, Double> controls) {}

    public ControlPool {
        builds = List.copyOf(builds);
        before = List.copyOf(before);
        after = List.copyOf(after);
    }

    /**
     * Of the nights next to the change, as many as a level needs to be looked at.
     *
     * @param before those next to the change first
     * @param after those next to the change first
     */
    public static ControlPool of(List<Night> before, List<Night> after) {
        Map<Long, Integer> all = stayed(before, after);
        List<Night> nearBefore = near(before, all.keySet());
        List<Night> nearAfter = near(after, all.keySet());
        Map<Long, Integer> stayed = stayed(nearBefore, nearAfter);
        Map<Long, Double> middles = new HashMap<>();
        stayed.keySet().forEach(build -> middles.put(build, (level(nearBefore, build) + level(nearAfter, build)) / 2));
        List<Long> builds = stayed.keySet().stream()
                .sorted(Comparator.<Long>comparingInt(stayed::get)
                        .thenComparing(Comparator.naturalOrder())
                        .reversed())
                .toList();
        return new ControlPool(builds, nights(nearBefore, middles), nights(nearAfter, middles));
    }

    /** Builds that ran in nights enough of both levels, with the number of the level that has fewer. What is 0 has no ratio. */
    private static Map<Long, Integer> stayed(List<Night> before, List<Night> after) {
        return Stream.concat(before.stream(), after.stream())
                .flatMap(night -> night.controls().keySet().stream())
                .distinct()
                .filter(build -> Stream.concat(before.stream(), after.stream())
                        .allMatch(night -> night.controls().getOrDefault(build, 1.0) > 0))
                .filter(build -> fewer(before, after, build) >= ControlComparison.LEAST)
                .collect(Collectors.toMap(build -> build, build -> fewer(before, after, build)));
    }

    private static int fewer(List<Night> before, List<Night> after, long build) {
        return (int)
                StrictMath.min(ran(before, build).count(), ran(after, build).count());
    }

    private static Stream<Night> ran(List<Night> nights, long build) {
        return nights.stream().filter(night -> night.controls().containsKey(build));
    }

    private static List<Night> near(List<Night> nights, Set<Long> builds) {
        return nights.stream()
                .filter(night -> night.controls().keySet().stream().anyMatch(builds::contains))
                .limit(FollowUpPolicy.POINTS)
                .toList();
    }

    private static double level(List<Night> nights, long build) {
        return ran(nights, build)
                .mapToDouble(night -> StrictMath.log(night.controls().getOrDefault(build, 1.0)))
                .average()
                .orElseThrow();
    }

    private static List<ControlComparison.Night> nights(List<Night> nights, Map<Long, Double> middles) {
        double common = middles.values().stream()
                .mapToDouble(middle -> middle)
                .average()
                .orElse(0);
        return nights.stream()
                .filter(night -> night.controls().keySet().stream().anyMatch(middles::containsKey))
                .map(night ->
                        new ControlComparison.Night(night.candidate(), StrictMath.exp(common + off(night, middles))))
                .toList();
    }

    /** On the ln scale, in the mean of the builds that ran. */
    private static double off(Night night, Map<Long, Double> middles) {
        return middles.entrySet().stream()
                .filter(middle -> night.controls().containsKey(middle.getKey()))
                .mapToDouble(middle ->
                        StrictMath.log(night.controls().getOrDefault(middle.getKey(), 1.0)) - middle.getValue())
                .average()
                .orElseThrow();
    }
}
