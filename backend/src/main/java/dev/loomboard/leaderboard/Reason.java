package dev.loomboard.leaderboard;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Why rows do not rank, said once for all of them.
 *
 * @param words without what is each row's own, which stands in parentheses, unless it is the same for all
 * @param rows names of those it holds for; empty: for all of the group
 */
public record Reason(String words, List<String> rows) {

    /** More names than these hide the reason; the rows themselves say theirs. */
    private static final int NAMED = 3;

    public Reason {
        rows = List.copyOf(rows);
    }

    /** In the order in which the rows give them. */
    static List<Reason> of(List<Entry> rows) {
        Map<String, List<Entry>> holds = new LinkedHashMap<>();
        Map<String, List<String>> said = new LinkedHashMap<>();
        for (Entry row : rows) {
            for (String reason : row.rating().reasons()) {
                holds.computeIfAbsent(head(reason), h -> new ArrayList<>()).add(row);
                said.computeIfAbsent(head(reason), h -> new ArrayList<>()).add(reason);
            }
        }
        List<Reason> reasons = new ArrayList<>();
        holds.forEach((head, of) ->
                reasons.add(new Reason(words(head, said.getOrDefault(head, List.of())), names(of, rows))));
        return reasons;
    }

    /** Which rows: "spring-mvc virtual on 25.0.3 and 4 more"; empty: all. */
    public String which() {
        int more = rows.size() - NAMED;
        return more <= 0
                ? String.join(", ", rows)
                : String.join(", ", rows.subList(0, NAMED)) + " and " + more + " more";
    }

    private static String words(String head, List<String> said) {
        return said.stream().distinct().count() == 1 ? said.getFirst() : head;
    }

    private static List<String> names(List<Entry> of, List<Entry> all) {
        return of.stream().distinct().count() == all.size()
                ? List.of()
                : of.stream().map(Entry::name).distinct().toList();
    }

    private static String head(String reason) {
        int own = reason.indexOf(" (");
        return own < 0 ? reason : reason.substring(0, own);
    }
}
