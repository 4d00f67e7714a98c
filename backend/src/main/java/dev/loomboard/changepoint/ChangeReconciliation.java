package dev.loomboard.changepoint;

import dev.loomboard.stats.change.FollowUpPolicy;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * What the detector reports of a series, compared with what is stored of it. A change point is known by its build, or by a
 * place so near that it is the same; it stays where it was first seen, though the detector moves it about.
 *
 * @param gone stored ones that were standing and are no longer reported
 */
record ChangeReconciliation(List<Pair> pairs, List<StoredChange> gone) {

    /** @param known null: it is new */
    record Pair(DetectedChange detected, @Nullable StoredChange known) {

        /** Whether it has a place yet: one that was first seen within a build gives way to a change of the build. */
        boolean placed() {
            return known != null
                    && known.pointId() != null
                    && (known.ofTheBuild() || !detected.ofTheBuild() || known.build() != detected.build());
        }

        /** Whether it is time for the one look at its history, with the given total number of points. */
        boolean due(int points) {
            boolean open = known == null || !known.looked() && known.status() != ChangeStatus.CONFIRMED;
            return open && points - detected.found().index() >= FollowUpPolicy.POINTS;
        }
    }

    /** @param stored of the series, on whatever host and server */
    static ChangeReconciliation of(ComparablePoints watched, List<StoredChange> stored) {
        List<StoredChange> here = stored.stream()
                .filter(k -> k.pointId() == null || watched.index(k.pointId()).isPresent())
                .toList();
        Map<Long, Pair> known = new LinkedHashMap<>();
        Map<Long, Pair> fresh = new LinkedHashMap<>();
        for (DetectedChange detected : DetectedChange.of(watched)) {
            Optional<StoredChange> same = same(watched, detected, here);
            if (same.isPresent()) {
                known.merge(same.get().id(), new Pair(detected, same.get()), (a, b) -> better(watched, a, b));
            } else if (stored.stream()
                    .noneMatch(k -> k.build() == detected.build())) { // else of another host or server
                fresh.merge(detected.build(), new Pair(detected, null), (a, b) -> better(watched, a, b));
            }
        }
        List<Pair> pairs = new ArrayList<>(known.values());
        pairs.addAll(fresh.values());
        return new ChangeReconciliation(
                List.copyOf(pairs),
                here.stream()
                        .filter(k -> k.reported() && !known.containsKey(k.id()))
                        .toList());
    }

    private static Optional<StoredChange> same(
            ComparablePoints watched, DetectedChange detected, List<StoredChange> here) {
        return here.stream()
                .filter(k -> k.build() == detected.build())
                .findFirst()
                .or(() -> here.stream()
                        .filter(k -> !k.onlyScreened() && distance(watched, detected, k) <= FollowUpPolicy.MERGED)
                        .min(Comparator.comparingInt(k -> distance(watched, detected, k))));
    }

    /** Two that are one: a change of the build rather than one within it, then the nearer, then the earlier. */
    private static Pair better(ComparablePoints watched, Pair a, Pair b) {
        if (a.detected().ofTheBuild() != b.detected().ofTheBuild()) {
            return a.detected().ofTheBuild() ? a : b;
        }
        StoredChange known = a.known();
        boolean nearer =
                known != null && distance(watched, b.detected(), known) < distance(watched, a.detected(), known);
        return nearer ? b : a;
    }

    private static int distance(ComparablePoints watched, DetectedChange detected, StoredChange known) {
        OptionalInt at = known.pointId() == null ? OptionalInt.empty() : watched.index(known.pointId());
        return at.isEmpty() ? Integer.MAX_VALUE : Math.abs(at.getAsInt() - detected.place());
    }
}
