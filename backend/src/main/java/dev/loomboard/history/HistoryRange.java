package dev.loomboard.history;

import dev.loomboard.kernel.Internal;
import dev.loomboard.kernel.WireName;
import dev.loomboard.web.Problem;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * How much of a history is shown.
 *
 * @param newest of each track so many of its newest points
 * @param from slug of the build at one end, as the chart's axis has them; null: the oldest
 * @param to the same of the other; null: the newest
 */
public record HistoryRange(
        Newest newest, @Nullable String from, @Nullable String to) implements Internal {

    public enum Newest implements WireName {
        ALL(Integer.MAX_VALUE, "All"),
        NEWEST_90(90, "Newest 90"),
        NEWEST_30(30, "Newest 30");

        private final int most;
        private final String words;

        Newest(int most, String words) {
            this.most = most;
            this.words = words;
        }

        int most() {
            return most;
        }

        public String words() {
            return words;
        }
    }

    static final HistoryRange ALL = new HistoryRange(Newest.ALL, null, null);

    /** The parameters of the page and of its twins. */
    static final String PARAMETER = "range";

    static final String FROM = "from";
    static final String TO = "to";

    /** @param asked null: everything; of the others empty is the same as null, since a form sends it */
    static HistoryRange of(@Nullable String asked, @Nullable String from, @Nullable String to) {
        Newest newest = asked == null
                ? Newest.ALL
                : WireName.find(Newest.class, asked)
                        .orElseThrow(() -> Problem.invalid(
                                        PARAMETER,
                                        "must be one of "
                                                + Arrays.stream(Newest.values())
                                                        .map(WireName::wire)
                                                        .collect(Collectors.joining(", ")))
                                .asException());
        return new HistoryRange(newest, present(from), present(to));
    }

    private static @Nullable String present(@Nullable String text) {
        return text == null || text.isEmpty() ? null : text;
    }

    public boolean all() {
        return newest == Newest.ALL && !ofBuilds();
    }

    public boolean ofBuilds() {
        return from != null || to != null;
    }

    Map<String, String> parameters() {
        Map<String, String> parameters = new HashMap<>();
        if (newest != Newest.ALL) {
            parameters.put(PARAMETER, newest.wire());
        }
        if (from != null) {
            parameters.put(FROM, from);
        }
        if (to != null) {
            parameters.put(TO, to);
        }
        return parameters;
    }

    /** @param all slugs in the order of the axis; whichever of the two ends is the older one, what lies between them is left */
    Set<String> builds(List<String> all) {
        if (all.isEmpty()) {
            return Set.of();
        }
        int one = from == null ? 0 : place(all, FROM, from);
        int other = to == null ? all.size() - 1 : place(all, TO, to);
        return new HashSet<>(all.subList(Math.min(one, other), Math.max(one, other) + 1));
    }

    private static int place(List<String> all, String parameter, String build) {
        int place = all.indexOf(build);
        if (place < 0) {
            throw Problem.invalid(
                            parameter,
                            "must be the slug of a build among the newest " + TrackPoints.MOST_POINTS
                                    + " points of a track, such as " + all.getLast())
                    .asException();
        }
        return place;
    }
}
