package dev.loomboard.jdk;

import dev.loomboard.cell.Availability;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * The words by which a matrix or schedule names builds, resolved against those a machine has.
 *
 * <pre>
 * 25         newest release of feature 25, else its newest early access
 * 28-ea      newest early access of feature 28
 * latest     newest build of the highest feature; latest-ga, latest-ea: of that kind
 * all        every build, newest first
 * (a slug)   that build
 * </pre>
 */
public final class JdkSelectors {

    private static final Pattern FEATURE = Pattern.compile("\\d{1,3}");
    private static final Pattern FEATURE_EA = Pattern.compile("\\d{1,3}-ea");
    private static final Pattern SLUG = Pattern.compile("[a-z0-9][a-z0-9._+-]{0,119}");

    private JdkSelectors() {}

    /** What came of the selectors: {@code builds} is empty when none matched. Notices are sentences for people. */
    public record Resolved(List<JdkBuild> builds, List<String> notices) {
        public Resolved {
            builds = List.copyOf(builds);
            notices = List.copyOf(notices);
        }
    }

    private record Match(List<JdkBuild> builds, List<String> notices) {}

    /** True for a text that could be a selector on some machine. */
    public static boolean isWellFormed(String selector) {
        return SLUG.matcher(selector).matches();
    }

    /**
     * The union of what the selectors name, in their order, each build once.
     *
     * @param limit keeps this many from the start; 0: all
     */
    public static Resolved resolve(List<JdkBuild> present, List<String> selectors, int limit) {
        List<JdkBuild> sorted = present.stream().sorted(JdkBuild.NEWEST_FIRST).toList();
        var chosen = new LinkedHashSet<JdkBuild>();
        List<String> notices = new ArrayList<>();
        for (String selector : selectors) {
            Match match = match(sorted, selector);
            chosen.addAll(match.builds());
            notices.addAll(match.notices());
        }
        List<JdkBuild> builds = List.copyOf(chosen);
        if (limit > 0 && builds.size() > limit) {
            notices.add("jdkLimit " + limit + " leaves out " + slugs(builds.subList(limit, builds.size())));
            builds = builds.subList(0, limit);
        }
        return new Resolved(builds, notices);
    }

    /** The names of builds for a sentence. */
    public static String slugs(List<JdkBuild> builds) {
        return String.join(", ", builds.stream().map(JdkBuild::agentSlug).toList());
    }

    private static Match match(List<JdkBuild> sorted, String selector) {
        return switch (selector) {
            case "all" -> found(sorted, selector);
            case "latest" -> first(sorted, selector, b -> true);
            case "latest-ga" -> first(sorted, selector, b -> b.availability() == Availability.GA);
            case "latest-ea" -> first(sorted, selector, b -> b.availability() == Availability.EA);
            case String s when FEATURE_EA.matcher(s).matches() -> first(sorted, s, of(feature(s), Availability.EA));
            case String s when FEATURE.matcher(s).matches() -> feature(sorted, s);
            case String s ->
                first(sorted, s, b -> b.agentSlug().equals(s) || b.slug().equals(s));
        };
    }

    private static Match feature(List<JdkBuild> sorted, String selector) {
        int feature = feature(selector);
        Match release = first(sorted, selector, of(feature, Availability.GA));
        if (!release.builds().isEmpty()) {
            return release;
        }
        Match early = first(sorted, selector, of(feature, Availability.EA));
        if (early.builds().isEmpty()) {
            return early;
        }
        String using = "selector \"" + selector + "\": no GA build of " + feature + " is installed, using "
                + slugs(early.builds());
        return new Match(early.builds(), List.of(using));
    }

    private static int feature(String selector) {
        int dash = selector.indexOf('-');
        return Integer.parseInt(dash < 0 ? selector : selector.substring(0, dash));
    }

    private static Predicate<JdkBuild> of(int feature, Availability availability) {
        return b -> b.feature() == feature && b.availability() == availability;
    }

    private static Match first(List<JdkBuild> sorted, String selector, Predicate<JdkBuild> wanted) {
        return found(sorted.stream().filter(wanted).limit(1).toList(), selector);
    }

    private static Match found(List<JdkBuild> builds, String selector) {
        return new Match(
                builds,
                builds.isEmpty() ? List.of("selector \"" + selector + "\" matches no installed JDK") : List.of());
    }
}
