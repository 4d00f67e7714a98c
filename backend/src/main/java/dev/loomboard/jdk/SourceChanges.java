package dev.loomboard.jdk;

import dev.loomboard.cell.Jdk;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The changes of OpenJDK's sources between two builds, as its repositories list them. Distributions may add changes of their own.
 *
 * @param from tag of the older build
 * @param to tag of the newer one
 * @param repository of OpenJDK, such as {@code jdk} or {@code jdk25u}
 */
public record SourceChanges(String from, String to, String repository) {

    /** A release's first build, whose tags are in the main repository, has no number after the first. */
    private static final String MAIN = "jdk";

    /** Null: they have no common repository, or a build has no number, by which tags are called. */
    public static @Nullable SourceChanges between(Jdk older, Jdk newer) {
        JdkVersion a = JdkVersion.parse(older.runtimeVersion());
        JdkVersion b = JdkVersion.parse(newer.runtimeVersion());
        if (a.build() == 0 || b.build() == 0 || !repository(a).equals(repository(b))) {
            return null;
        }
        return new SourceChanges(tag(a), tag(b), repository(a));
    }

    public String url() {
        return "https://github.com/openjdk/" + repository + "/compare/" + from + "..." + to;
    }

    /** Numbers without the zeros that end them: of 25.0.3 all, of 28 and 28.0.0 the first. */
    private static List<Long> numbers(JdkVersion version) {
        List<Long> numbers = version.numbers();
        int length = numbers.size();
        while (length > 1 && numbers.get(length - 1) == 0) {
            length--;
        }
        return numbers.subList(0, length);
    }

    private static String repository(JdkVersion version) {
        List<Long> numbers = numbers(version);
        return numbers.size() == 1 ? MAIN : MAIN + numbers.getFirst() + "u";
    }

    private static String tag(JdkVersion version) {
        return "jdk-" + numbers(version).stream().map(String::valueOf).collect(Collectors.joining(".")) + "+"
                + version.build();
    }
}
