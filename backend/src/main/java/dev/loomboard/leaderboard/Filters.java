package dev.loomboard.leaderboard;

import dev.loomboard.view.Filter;
import dev.loomboard.view.Query;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The filters of the leaderboard as links: what they offer is what the scenario's entries have, whatever is chosen. */
final class Filters {

    private final Query query;
    private final List<EntrySummary> all;

    private Filters(Query query, List<EntrySummary> all) {
        this.query = query;
        this.all = all;
    }

    static List<Filter> of(Query query, BoardQuery choices, List<EntrySummary> all) {
        Filters filters = new Filters(query, all);
        return List.of(
                filters.build(choices.jdk()),
                filters.by(
                        "server",
                        choices.server(),
                        e -> e.server().name(),
                        e -> e.server().name()),
                filters.by("framework", choices.framework(), EntrySummary::frameworkName, EntrySummary::frameworkName),
                filters.by(
                        "model",
                        choices.model(),
                        e -> e.server().model().wire(),
                        e -> e.server().model().wire()),
                filters.by(
                        "collector",
                        choices.collector(),
                        e -> e.settings().collector(),
                        e -> e.settings().collector()),
                filters.by(
                        "machine",
                        choices.machine(),
                        e -> e.machine().id(),
                        e -> e.machine().name()));
    }

    /** A certain build, in place of the newest of a kind. */
    private Filter build(@Nullable String chosen) {
        Map<String, String> values = new LinkedHashMap<>();
        all.stream().map(EntrySummary::jdk).forEach(jdk -> values.putIfAbsent(jdk.slug(), jdk.words()));
        return filter(
                "build", BuildChoice.PARAMETER, chosen != null && values.containsKey(chosen) ? chosen : null, values);
    }

    private Filter by(
            String parameter,
            @Nullable String chosen,
            Function<EntrySummary, String> value,
            Function<EntrySummary, String> words) {
        Map<String, String> values = new LinkedHashMap<>();
        all.forEach(entry -> values.putIfAbsent(value.apply(entry), words.apply(entry)));
        return filter(parameter, parameter, chosen, values);
    }

    private Filter filter(String name, String parameter, @Nullable String chosen, Map<String, String> values) {
        if (chosen != null) {
            values.putIfAbsent(chosen, chosen);
        }
        return new Filter(
                name,
                values.entrySet().stream()
                        .map(e -> new Filter.Choice(
                                e.getValue(),
                                query.with(parameter, e.getKey()),
                                e.getKey().equals(chosen)))
                        .toList(),
                query.with(parameter, null));
    }
}
