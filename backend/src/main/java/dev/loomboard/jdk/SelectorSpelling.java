package dev.loomboard.jdk;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** What is said of a word that is no selector, and which may be meant. The agent says the same; both are held to selector-cases.json. */
final class SelectorSpelling {

    private static final String ALLOWED = "25, 28-ea, 25.0.3, 28-ea+18, >=21, latest, latest-ga, latest-ea, latest-lts,"
            + " previous-ea, all or a build's name; of one vendor with its name before, such as temurin:25; always measured"
            + " as baseline:25";

    private static final List<String> WORDS =
            List.of("all", "latest", "latest-ga", "latest-ea", "latest-lts", "previous-ea");
    private static final List<String> VENDORS = List.of(
            "temurin",
            "openjdk",
            "oracle",
            "debian",
            "ubuntu",
            "corretto",
            "zulu",
            "liberica",
            "sapmachine",
            "microsoft",
            "redhat",
            "graalvm",
            "dragonwell",
            "jetbrains");
    private static final int MOST_EDITS = 2;
    private static final int LETTERS_AN_EDIT = 3;
    private static final int SHOWN = 80;

    /** How a word is mended: what it looks like, and what is meant. */
    private record Mending(Pattern form, String meant) {
        Mending(String form, String meant) {
            this(Pattern.compile(form), meant);
        }
    }

    private static final List<Mending> MENDINGS = List.of(
            new Mending("(?:jdk|java)[-:]?(\\d.*)", "$1"),
            new Mending("(\\d{1,3})ea", "$1-ea"),
            new Mending("ea-?(\\d{1,3})", "$1-ea"),
            new Mending("(?:>|=>|≥)=?(\\d{1,3})", ">=$1"),
            new Mending("(\\d{1,3})\\+", ">=$1"),
            new Mending("0+(\\d.*)", "$1"),
            new Mending("latest-(\\d{1,3}(?:-ea)?)", "$1"),
            new Mending("(ga|ea|lts)", "latest-$1"),
            new Mending("prev(?:ious)?(?:-ea)?", "previous-ea"),
            new Mending("(" + String.join("|", VENDORS) + ")[-/@]?(\\d.*)", "$1:$2"),
            new Mending("(" + String.join("|", VENDORS) + ")", "$1:latest"));

    private SelectorSpelling() {}

    /** The end of a sentence of which the field is the beginning. */
    static String problem(String word) {
        return "must be a JDK selector (" + ALLOWED + "), is: "
                + (word.length() > SHOWN ? word.substring(0, SHOWN) + "…" : word)
                + near(word).map(near -> "; did you mean " + near + "?").orElse("");
    }

    /** The same, short, of a word that is stored. */
    static String sentence(String word) {
        return "\"" + word + "\" is no JDK selector"
                + near(word).map(near -> "; did you mean " + near + "?").orElse(".");
    }

    /** A selector that is close to the word. */
    static Optional<String> near(String word) {
        if (word.length() > SHOWN) {
            return Optional.empty();
        }
        String lower = word.strip().toLowerCase(Locale.ROOT);
        return isOne(lower) ? Optional.of(lower) : nearLower(lower.replace('_', '-'));
    }

    private static Optional<String> nearLower(String lower) {
        int colon = lower.indexOf(':');
        Optional<String> prefixed = colon < 0
                ? Optional.empty()
                : mended(lower.substring(colon + 1))
                        .map(rest -> lower.substring(0, colon + 1) + rest)
                        .filter(SelectorSpelling::isOne);
        return prefixed.or(() -> mended(lower));
    }

    private static Optional<String> mended(String word) {
        Stream<String> mended = MENDINGS.stream()
                .filter(m -> m.form().matcher(word).matches())
                .map(m -> m.form().matcher(word).replaceFirst(m.meant()));
        return Stream.concat(Stream.of(word), mended)
                .filter(SelectorSpelling::isOne)
                .findFirst()
                .or(() -> WORDS.stream()
                        .filter(known -> edits(known, word) <= Math.min(MOST_EDITS, word.length() / LETTERS_AN_EDIT))
                        .min(Comparator.comparingInt(known -> edits(known, word))));
    }

    private static boolean isOne(String word) {
        return JdkSelector.parse(word).isPresent();
    }

    /** Letters to add, drop or exchange (Levenshtein). */
    private static int edits(String one, String other) {
        int[] before = IntStream.rangeClosed(0, other.length()).toArray();
        for (int i = 1; i <= one.length(); i++) {
            int[] here = new int[other.length() + 1];
            here[0] = i;
            for (int k = 1; k <= other.length(); k++) {
                int exchanged = before[k - 1] + (one.charAt(i - 1) == other.charAt(k - 1) ? 0 : 1);
                here[k] = Math.min(exchanged, Math.min(before[k], here[k - 1]) + 1);
            }
            before = here;
        }
        return Arrays.stream(before).skip(other.length()).findFirst().orElseThrow();
    }
}
