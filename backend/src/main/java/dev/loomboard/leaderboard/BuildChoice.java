package dev.loomboard.leaderboard;

import dev.loomboard.cell.Availability;
import dev.loomboard.view.Filter;
import dev.loomboard.view.Query;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Of which JDK builds a board has rows: of each server variant one, on its newest build of a kind, unless all or a certain build are
 * asked for. Its rows are ranked among themselves.
 *
 * @param value {@link #GA}, {@link #EA}, {@link #ALL}, a feature release, or a build's slug
 */
record BuildChoice(String value) {

    static final String PARAMETER = "jdk";
    static final String GA = "newest-ga";
    static final String EA = "newest-ea";
    static final String ALL = "all";

    /** @param asked null: the newest release, or else the newest early-access build where nothing was measured on a release */
    static BuildChoice of(@Nullable String asked, List<EntrySummary> all) {
        return new BuildChoice(asked != null ? asked : preset(all));
    }

    private static String preset(List<EntrySummary> all) {
        return all.stream().anyMatch(GA_BUILD) || all.stream().noneMatch(EA_BUILD) ? GA : EA;
    }

    private static final Predicate<EntrySummary> NO_JDK = e -> e.jdk().none();
    private static final Predicate<EntrySummary> EA_BUILD =
            NO_JDK.negate().and(e -> e.jdk().availability() == Availability.EA);
    private static final Predicate<EntrySummary> GA_BUILD = NO_JDK.negate().and(EA_BUILD.negate());

    /** @param all newest build first */
    List<EntrySummary> rows(List<EntrySummary> all) {
        return switch (value) {
            case ALL -> all;
            case GA -> newest(all, GA_BUILD.or(NO_JDK));
            case EA -> newest(all, EA_BUILD.or(NO_JDK));
            default ->
                feature()
                        ? newest(
                                all,
                                e -> !e.jdk().none()
                                        && value.equals(String.valueOf(e.jdk().feature())))
                        : all.stream().filter(e -> e.jdk().slug().equals(value)).toList();
        };
    }

    private boolean feature() {
        return value.matches("[0-9]{1,3}");
    }

    private static List<EntrySummary> newest(List<EntrySummary> all, Predicate<EntrySummary> kind) {
        Set<List<Object>> seen = new HashSet<>();
        return all.stream().filter(kind).filter(e -> seen.add(e.track())).toList();
    }

    /** What else there is to choose; empty: nothing. */
    static List<Filter.Choice> choices(@Nullable String asked, Query query, List<EntrySummary> all) {
        String chosen = of(asked, all).value();
        String preset = preset(all);
        List<Filter.Choice> choices = new ArrayList<>();
        if (all.stream().anyMatch(GA_BUILD)) {
            choices.add(choice(GA, "newest GA", chosen, preset, query));
        }
        if (all.stream().anyMatch(EA_BUILD)) {
            choices.add(choice(EA, "newest EA", chosen, preset, query));
        }
        all.stream()
                .filter(NO_JDK.negate())
                .map(e -> String.valueOf(e.jdk().feature()))
                .distinct()
                .forEach(feature -> choices.add(choice(feature, "JDK " + feature, chosen, preset, query)));
        choices.add(choice(ALL, "all builds", chosen, preset, query));
        return new BuildChoice(preset).rows(all).size() == all.size() && chosen.equals(preset) ? List.of() : choices;
    }

    private static Filter.Choice choice(String value, String words, String chosen, String preset, Query query) {
        return new Filter.Choice(
                words, query.with(PARAMETER, value.equals(preset) ? null : value), value.equals(chosen));
    }

    /** Of which build each row is, for the page's first sentence. */
    String words() {
        return switch (value) {
            case ALL -> "on every JDK build";
            case GA -> "on the newest JDK release that it was measured on";
            case EA -> "on the newest early-access build that it was measured on";
            default -> feature() ? "on the newest build of JDK " + value + " that it was measured on" : "on " + value;
        };
    }
}
