package dev.loomboard.leaderboard;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.loomboard.kernel.Internal;
import dev.loomboard.stats.RunSpread;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Where an entry stands among those of its board: a simultaneous 95 % confidence set.
 *
 * @param best from 1
 * @param worst equal to it: its place is certain
 * @param of how many were ranked together
 * @param nearest cells of the nearest few that it cannot be distinguished from, external ids
 * @param cells the same
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

    public Rank {
        nearest = List.copyOf(nearest);
    }

    /** Internal keys. */
    record Cells(List<Long> keys) implements Internal {
        Cells {
            keys = List.copyOf(keys);
        }
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
