package dev.loomboard.leaderboard;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.loomboard.kernel.Internal;
import dev.loomboard.stats.RunSpread;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Where an entry stands among those of its board: a simultaneous 95 % confidence set.
 *
 * @param best from 1
 * @param worst equal to it: its place is certain
 * @param of how many were ranked together
 * @param nearest cells of the nearest few that it cannot be distinguished from, external ids
 * @param cells all of these, the nearest first
 * @param runSpread with which it was ranked; null: it was ranked before ranks used that spread
 * @param words all of it as a sentence; null: names are not known yet
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Rank(
        int best,
        int worst,
        int of,
        List<String> nearest,
        Cells cells,
        @Nullable RunSpread runSpread,
        @Nullable String words) {

    /** Names that a sentence can take; the range itself says how many there are. */
    static final int NAMED = 3;

    public Rank {
        nearest = List.copyOf(nearest);
    }

    /** Internal keys. */
    record Cells(List<Long> keys) implements Internal {
        Cells {
            keys = List.copyOf(keys);
        }
    }

    /**
     * Its place among some of those that it was ranked with: what holds for all pairs together holds for theirs.
     *
     * @param own the entry whose rank it is
     * @param some also of other boards and standings, which are left out
     */
    Rank among(EntrySummary own, List<EntrySummary> some) {
        List<EntrySummary> apart = some.stream()
                .filter(other -> other.rankedWith(own) && other.id() != own.id())
                .toList();
        Set<Long> tied = new HashSet<>(cells.keys());
        List<EntrySummary> distinct =
                apart.stream().filter(other -> !tied.contains(other.cell())).toList();
        int above =
                (int) distinct.stream().filter(other -> other.betterThan(own)).count();
        Set<Long> left = apart.stream().map(EntrySummary::cell).collect(Collectors.toSet());
        return new Rank(
                1 + above,
                1 + apart.size() - (distinct.size() - above),
                1 + apart.size(),
                nearest,
                new Cells(cells.keys().stream().filter(left::contains).toList()),
                runSpread,
                words);
    }

    /** @param entries all of the scenario, by cell */
    Rank named(Map<Long, EntrySummary> entries) {
        return new Rank(best, worst, of, nearest, cells, runSpread, sentence(entries));
    }

    /** "2–4", or "3" when it is certain. */
    public String range() {
        return best == worst ? String.valueOf(best) : best + "–" + worst;
    }

    private String sentence(Map<Long, EntrySummary> entries) {
        String place = range() + " of " + of + ": ";
        if (of == 1) {
            return place + "no other row is ranked yet";
        }
        if (best == worst) {
            return place + "differs from every other row";
        }
        List<String> tied = new ArrayList<>(cells.keys().stream()
                .map(entries::get)
                .filter(Objects::nonNull)
                .limit(NAMED)
                .map(EntrySummary::name)
                .toList());
        int more = worst - best - tied.size();
        if (more > 0) {
            tied.add(more + (tied.isEmpty() ? more == 1 ? " other" : " others" : " more"));
        }
        String last = tied.removeLast();
        return place + "not distinguishable from " + (tied.isEmpty() ? "" : String.join(", ", tied) + " and ") + last;
    }
}
