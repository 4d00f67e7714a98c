package dev.loomboard.jdk;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One word by which a matrix or schedule names builds, read. The agent reads the same ({@code internal/jdk/grammar.go}); both are held
 * to {@code selector-cases.json}.
 *
 * <pre>
 * 25            newest release of feature 25, else its newest early access
 * 28-ea         newest early access of feature 28
 * 25.0.3        newest build of that version
 * 28-ea+18      that build
 * &gt;=21          of each feature from 21 on what the feature alone names, newest first
 * latest        newest build of the highest feature; latest-ga, latest-ea: of that kind
 * latest-lts    newest release of the highest feature with long-term support
 * previous-ea   of the vendor of latest-ea, the early access before it
 * all           every build, newest first
 * (a name)      that build
 * temurin:25    any of these but a name, of that vendor's builds alone
 * baseline:25   any of these, measured beside the others whatever jdkLimit leaves out, and first
 * </pre>
 *
 * @param vendor null: any
 */
record JdkSelector(String text, boolean baseline, @Nullable String vendor, Wanted wanted) {

    private static final int LONGEST = 160;
    private static final String BASELINE = "baseline";
    private static final String WORD = "[a-z][a-z0-9]*(?:-[a-z0-9]+)*";
    private static final String NUMBER = "0|[1-9]\\d{0,2}";
    private static final Pattern VENDOR = Pattern.compile("(" + WORD + "):(.+)");
    private static final Pattern FEATURE = Pattern.compile(NUMBER);
    private static final Pattern EARLY = Pattern.compile("(" + NUMBER + ")-ea");
    private static final Pattern FROM = Pattern.compile(">=(" + NUMBER + ")");
    private static final Pattern VERSION = Pattern.compile(
            "((?:" + NUMBER + ")(?:\\.(?:0|[1-9]\\d{0,8})){0,5})(?:-([a-z][a-z0-9]*))?(?:\\+(0|[1-9]\\d{0,8}))?");
    private static final Pattern NAME = Pattern.compile(WORD + "-\\d[a-z0-9._+-]*-[a-z0-9][a-z0-9._-]*");

    /** Which builds a word wants. */
    sealed interface Wanted {}

    record Every() implements Wanted {}

    enum Newest implements Wanted {
        ANY,
        RELEASE,
        EARLY_ACCESS,
        LONG_TERM,
        /** The early access before the newest. */
        PREVIOUS
    }

    record From(int feature) implements Wanted {}

    record Feature(int feature) implements Wanted {}

    record Early(int feature) implements Wanted {}

    /**
     * @param numbers without zeros at the end
     * @param pre empty: a release
     * @param build null: any
     */
    record Version(List<Long> numbers, String pre, @Nullable Long build) implements Wanted {}

    record Named(String name) implements Wanted {}

    /** Empty: no word of the grammar. */
    static Optional<JdkSelector> parse(String text) {
        if (text.length() > LONGEST) {
            return Optional.empty();
        }
        boolean baseline = text.startsWith(BASELINE + ":");
        String rest = baseline ? text.substring(BASELINE.length() + 1) : text;
        Matcher vendor = VENDOR.matcher(rest);
        if (!vendor.matches()) {
            return wanted(rest).map(wanted -> new JdkSelector(text, baseline, null, wanted));
        }
        return wanted(vendor.group(2))
                .filter(wanted -> !vendor.group(1).equals(BASELINE) && !(wanted instanceof Named))
                .map(wanted -> new JdkSelector(text, baseline, vendor.group(1), wanted));
    }

    private static Optional<Wanted> wanted(String word) {
        return switch (word) {
            case "all" -> Optional.of(new Every());
            case "latest" -> Optional.of(Newest.ANY);
            case "latest-ga" -> Optional.of(Newest.RELEASE);
            case "latest-ea" -> Optional.of(Newest.EARLY_ACCESS);
            case "latest-lts" -> Optional.of(Newest.LONG_TERM);
            case "previous-ea" -> Optional.of(Newest.PREVIOUS);
            default -> numbered(word);
        };
    }

    private static Optional<Wanted> numbered(String word) {
        if (FEATURE.matcher(word).matches()) {
            return Optional.of(new Feature(Integer.parseInt(word)));
        }
        Matcher early = EARLY.matcher(word);
        if (early.matches()) {
            return Optional.of(new Early(Integer.parseInt(early.group(1))));
        }
        Matcher from = FROM.matcher(word);
        if (from.matches()) {
            return Optional.of(new From(Integer.parseInt(from.group(1))));
        }
        Matcher version = VERSION.matcher(word);
        if (version.matches()) {
            String build = version.group(3);
            return Optional.of(new Version(
                    withoutZeros(JdkVersion.parse(version.group(1)).numbers()),
                    version.group(2) == null ? "" : version.group(2),
                    build == null ? null : Long.valueOf(build)));
        }
        return isName(word) ? Optional.of(new Named(word)) : Optional.empty();
    }

    /** Vendor, version and architecture. */
    private static boolean isName(String word) {
        return NAME.matcher(word).matches()
                && !word.startsWith("latest-")
                && !word.startsWith("previous-")
                && !word.endsWith("-ea");
    }

    /** 25.0.0 is 25. */
    static List<Long> withoutZeros(List<Long> numbers) {
        List<Long> some = new ArrayList<>(numbers);
        while (some.size() > 1 && some.getLast() == 0) {
            some.removeLast();
        }
        return List.copyOf(some);
    }
}
