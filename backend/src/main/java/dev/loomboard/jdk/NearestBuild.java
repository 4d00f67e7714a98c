package dev.loomboard.jdk;

import dev.loomboard.cell.Availability;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Which build comes nearest to what a selector wants and none is: of its vendor before others, then of the nearest feature, of its
 * kind, of its version and of the nearest build number; of equals the newest.
 */
final class NearestBuild {

    private static final Pattern NAME = Pattern.compile("([a-z][a-z0-9]*(?:-[a-z][a-z0-9]*)*)-(\\d{1,3}).*");

    private NearestBuild() {}

    /** @param sorted newest first; empty: there is none at all */
    static Optional<JdkBuild> of(List<JdkBuild> sorted, JdkSelector selector) {
        return sorted.stream()
                .min(Comparator.comparing((JdkBuild b) ->
                                !vendorOf(selector).orElse(b.vendor()).equals(b.vendor()))
                        .thenComparing(b -> featureAway(b, selector.wanted()))
                        .thenComparing(b -> otherKind(b, selector.wanted()))
                        .thenComparing(b -> otherNumbers(b, selector.wanted()))
                        .thenComparing(b -> buildAway(b, selector.wanted())));
    }

    private static Optional<String> vendorOf(JdkSelector selector) {
        return selector.wanted() instanceof JdkSelector.Named named
                ? name(named).map(m -> m.group(1))
                : Optional.ofNullable(selector.vendor());
    }

    private static Optional<Matcher> name(JdkSelector.Named named) {
        return Optional.of(NAME.matcher(named.name())).filter(Matcher::matches);
    }

    private static long featureAway(JdkBuild build, JdkSelector.Wanted wanted) {
        return switch (wanted) {
            case JdkSelector.Feature(int feature) -> Math.abs(build.feature() - feature);
            case JdkSelector.Early(int feature) -> Math.abs(build.feature() - feature);
            case JdkSelector.From(int feature) -> Math.max(0, feature - build.feature());
            case JdkSelector.Version version ->
                Math.abs(build.feature() - version.numbers().getFirst());
            case JdkSelector.Named named ->
                name(named)
                        .map(m -> Math.abs(build.feature() - Integer.parseInt(m.group(2))))
                        .orElse(0);
            case JdkSelector.Every every -> 0;
            case JdkSelector.Newest newest -> 0;
        };
    }

    private static boolean otherKind(JdkBuild build, JdkSelector.Wanted wanted) {
        boolean early = build.availability() == Availability.EA;
        return switch (wanted) {
            case JdkSelector.Early wantsEarly -> !early;
            case JdkSelector.Version version -> early == version.pre().isEmpty();
            case JdkSelector.Newest newest ->
                switch (newest) {
                    case ANY -> false;
                    case RELEASE, LONG_TERM -> early;
                    case EARLY_ACCESS, PREVIOUS -> !early;
                };
            case JdkSelector.Feature feature -> false;
            case JdkSelector.From from -> false;
            case JdkSelector.Named named -> false;
            case JdkSelector.Every every -> false;
        };
    }

    private static boolean otherNumbers(JdkBuild build, JdkSelector.Wanted wanted) {
        return wanted instanceof JdkSelector.Version version
                && !JdkSelector.withoutZeros(
                                JdkVersion.parse(build.runtimeVersion()).numbers())
                        .equals(version.numbers());
    }

    private static long buildAway(JdkBuild build, JdkSelector.Wanted wanted) {
        return wanted instanceof JdkSelector.Version version && version.build() != null
                ? Math.abs(JdkVersion.parse(build.runtimeVersion()).build() - version.build())
                : 0;
    }
}
