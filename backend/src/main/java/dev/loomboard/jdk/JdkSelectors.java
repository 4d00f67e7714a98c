package dev.loomboard.jdk;

import dev.loomboard.cell.Availability;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Resolves {@link JdkSelector}s against the builds that a machine has, or several machines have. */
public final class JdkSelectors {

    private static final Pattern NAME = Pattern.compile("[a-z0-9][a-z0-9._+-]{0,119}");
    private static final String NOTHING = " matches no installed JDK";
    private static final int FIRST_LONG_TERM = 21;
    private static final int LONG_TERM_EVERY = 4;

    private JdkSelectors() {}

    /** What came of the selectors: {@code builds} is empty when none matched. Notices are sentences for people. */
    public record Resolved(List<JdkBuild> builds, List<String> notices) {
        public Resolved {
            builds = List.copyOf(builds);
            notices = List.copyOf(notices);
        }
    }

    private record Match(List<JdkBuild> builds, List<String> notices) {}

    /** True for a text that could be the name of a build. */
    public static boolean isName(String text) {
        return NAME.matcher(text).matches();
    }

    /** What is wrong with a word that no machine could match, with what is allowed and what may be meant; empty: nothing. */
    public static Optional<String> problem(String selector) {
        return JdkSelector.parse(selector).isPresent()
                ? Optional.empty()
                : Optional.of(SelectorSpelling.problem(selector));
    }

    /**
     * The union of what the selectors name, in their order, each build once; baselines before all others.
     *
     * @param limit keeps this many from the start, baselines not counted; 0: all
     */
    public static Resolved resolve(List<JdkBuild> present, List<String> selectors, int limit) {
        List<JdkBuild> sorted = present.stream().sorted(JdkBuild.NEWEST_FIRST).toList();
        Set<JdkBuild> baselines = new LinkedHashSet<>();
        Set<JdkBuild> others = new LinkedHashSet<>();
        List<String> notices = new ArrayList<>();
        for (String text : selectors) {
            Optional<JdkSelector> selector = JdkSelector.parse(text);
            Match match = selector.map(s -> match(sorted, s)).orElseGet(() -> named(sorted, text));
            (selector.isPresent() && selector.get().baseline() ? baselines : others).addAll(match.builds());
            notices.addAll(match.notices());
        }
        others.removeAll(baselines);
        List<JdkBuild> rest = List.copyOf(others);
        if (limit > 0 && rest.size() > limit) {
            notices.add("jdkLimit " + limit + " leaves out " + slugs(rest.subList(limit, rest.size())));
            rest = rest.subList(0, limit);
        }
        newer(baselines, rest).ifPresent(notices::add);
        List<JdkBuild> builds = new ArrayList<>(baselines);
        builds.addAll(rest);
        return new Resolved(builds, notices);
    }

    /**
     * Of words that match nothing, or are none, a sentence each that names the nearest build; nothing of the others.
     *
     * @param whose whose builds these are, such as "of this workspace's machines"
     */
    public static List<String> unmatched(List<JdkBuild> present, List<String> selectors, String whose) {
        List<JdkBuild> sorted = present.stream().sorted(JdkBuild.NEWEST_FIRST).toList();
        return selectors.stream()
                .flatMap(text -> JdkSelector.parse(text)
                        .map(s -> unmatched(sorted, s, whose))
                        .orElse(Optional.of(SelectorSpelling.sentence(text)))
                        .stream())
                .toList();
    }

    private static Optional<String> unmatched(List<JdkBuild> sorted, JdkSelector selector, String whose) {
        return match(sorted, selector).builds().isEmpty()
                ? Optional.of("The selector \"" + selector.text() + "\" matches no JDK " + whose + " now."
                        + NearestBuild.of(sorted, selector)
                                .map(near -> " The nearest is " + near.agentSlug() + ".")
                                .orElse(""))
                : Optional.empty();
    }

    /** Of a notice of {@link #resolve}: that a selector matches nothing. */
    public static boolean isUnmatched(String notice) {
        return notice.startsWith("selector ") && notice.contains(NOTHING);
    }

    /** The names of builds for a sentence. */
    public static String slugs(List<JdkBuild> builds) {
        return String.join(", ", builds.stream().map(JdkBuild::agentSlug).toList());
    }

    /** That a baseline cannot be one beside what is older. */
    private static Optional<String> newer(Set<JdkBuild> baselines, List<JdkBuild> rest) {
        return baselines.stream()
                .flatMap(baseline -> rest.stream()
                        .filter(other -> JdkBuild.NEWEST_FIRST.compare(baseline, other) < 0)
                        .map(other -> baseline.agentSlug() + " is newer than " + other.agentSlug()
                                + ": of two builds the older is the baseline of their comparison"))
                .findFirst();
    }

    private static Match match(List<JdkBuild> all, JdkSelector selector) {
        List<JdkBuild> sorted = all.stream()
                .filter(b -> selector.vendor() == null || b.vendor().equals(selector.vendor()))
                .toList();
        List<JdkBuild> found = switch (selector.wanted()) {
            case JdkSelector.Every every -> sorted;
            case JdkSelector.Newest newest -> one(newest(sorted, newest));
            case JdkSelector.From from -> from(sorted, from.feature());
            case JdkSelector.Feature feature -> one(feature(sorted, feature.feature()));
            case JdkSelector.Early early -> one(first(sorted, of(early.feature(), Availability.EA)));
            case JdkSelector.Version version -> one(first(sorted, b -> is(b, version)));
            case JdkSelector.Named named -> one(first(sorted, b -> isNamed(b, named.name())));
        };
        if (found.isEmpty()) {
            return new Match(found, List.of(none(selector.text(), NearestBuild.of(all, selector))));
        }
        return new Match(found, early(selector, found));
    }

    /** That a feature's early access takes the place of its release. */
    private static List<String> early(JdkSelector selector, List<JdkBuild> found) {
        JdkBuild build = found.getFirst();
        return selector.wanted() instanceof JdkSelector.Feature(int feature) && build.availability() == Availability.EA
                ? List.of("selector \"" + selector.text() + "\": no GA build of " + feature + " is installed, using "
                        + build.agentSlug())
                : List.of();
    }

    /** A word that the grammar does not have, stored before it was as strict: it may still be a name. */
    private static Match named(List<JdkBuild> sorted, String text) {
        List<JdkBuild> found = one(first(sorted, b -> isNamed(b, text)));
        return new Match(found, found.isEmpty() ? List.of(none(text, Optional.empty())) : List.of());
    }

    private static String none(String selector, Optional<JdkBuild> nearest) {
        return "selector \"" + selector + "\"" + NOTHING
                + nearest.map(b -> "; the nearest is " + b.agentSlug()).orElse("");
    }

    private static @Nullable JdkBuild newest(List<JdkBuild> sorted, JdkSelector.Newest which) {
        return switch (which) {
            case ANY -> first(sorted, b -> true);
            case RELEASE -> first(sorted, b -> b.availability() == Availability.GA);
            case EARLY_ACCESS -> first(sorted, b -> b.availability() == Availability.EA);
            case LONG_TERM -> first(sorted, b -> b.availability() == Availability.GA && longTerm(b.feature()));
            case PREVIOUS -> previous(sorted);
        };
    }

    /** A rebuild of the same version is not the one before. */
    private static @Nullable JdkBuild previous(List<JdkBuild> sorted) {
        JdkBuild latest = newest(sorted, JdkSelector.Newest.EARLY_ACCESS);
        return latest == null
                ? null
                : first(
                        sorted.subList(sorted.indexOf(latest), sorted.size()),
                        b -> b.availability() == Availability.EA
                                && b.vendor().equals(latest.vendor())
                                && !b.internals()
                                        .order()
                                        .equals(latest.internals().order()));
    }

    private static List<JdkBuild> from(List<JdkBuild> sorted, int least) {
        return sorted.stream()
                .map(JdkBuild::feature)
                .filter(feature -> feature >= least)
                .distinct()
                .flatMap(feature -> one(feature(sorted, feature)).stream())
                .toList();
    }

    private static @Nullable JdkBuild feature(List<JdkBuild> sorted, int feature) {
        JdkBuild release = first(sorted, of(feature, Availability.GA));
        return release == null ? first(sorted, of(feature, Availability.EA)) : release;
    }

    private static boolean is(JdkBuild build, JdkSelector.Version wanted) {
        JdkVersion version = JdkVersion.parse(build.runtimeVersion());
        return JdkSelector.withoutZeros(version.numbers()).equals(wanted.numbers())
                && version.pre().equalsIgnoreCase(wanted.pre())
                && (wanted.build() == null || version.build() == wanted.build());
    }

    private static boolean isNamed(JdkBuild build, String name) {
        return build.agentSlug().equals(name) || build.slug().equals(name);
    }

    /** 21, 25, 29 and so on: every two years. */
    private static boolean longTerm(int feature) {
        return feature >= FIRST_LONG_TERM && (feature - FIRST_LONG_TERM) % LONG_TERM_EVERY == 0;
    }

    private static Predicate<JdkBuild> of(int feature, Availability availability) {
        return b -> b.feature() == feature && b.availability() == availability;
    }

    private static @Nullable JdkBuild first(List<JdkBuild> sorted, Predicate<JdkBuild> wanted) {
        return sorted.stream().filter(wanted).findFirst().orElse(null);
    }

    private static List<JdkBuild> one(@Nullable JdkBuild build) {
        return build == null ? List.of() : List.of(build);
    }
}
