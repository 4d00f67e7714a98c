package dev.loomboard.jdk;

import dev.loomboard.kernel.FieldChecks;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A {@code java.runtime.version} taken apart: {@code $VNUM(-$PRE)?(+$BUILD)?(-$OPT)?} of JEP 322.
 *
 * @param numbers 25.0.3 is [25, 0, 3]
 * @param pre pre-release identifier, such as ea; empty: a release
 * @param build 0 when it has none
 */
public record JdkVersion(List<Long> numbers, String pre, long build) {

    /** More numbers than any vendor uses; shorter versions are filled with zeros, so that arrays compare. */
    private static final int PLACES = 6;

    private static final Pattern FORM =
            Pattern.compile("(\\d{1,9}(?:\\.\\d{1,9}){0,5})(?:-([A-Za-z][A-Za-z0-9]*))?(?:\\+(\\d{0,9}))?(?:-(.*))?");

    public JdkVersion {
        numbers = List.copyOf(numbers);
    }

    public static JdkVersion parse(String text) {
        Matcher m = FORM.matcher(text);
        if (!m.matches()) {
            throw new FieldChecks.Refused("runtimeVersion", "must look like 25.0.3+9 or 28-ea+18, is: " + text);
        }
        List<Long> numbers = new ArrayList<>();
        for (String part : m.group(1).split("\\.", -1)) {
            numbers.add(Long.valueOf(part));
        }
        String build = m.group(3);
        return new JdkVersion(
                numbers,
                m.group(2) == null ? "" : m.group(2),
                build == null || build.isEmpty() ? 0 : Long.parseLong(build));
    }

    /** What a packager added to a version: 1-Debian of 28-ea+18-1-Debian; empty: nothing, or it is no version. */
    static String packager(String text) {
        Matcher m = FORM.matcher(text);
        return m.matches() && m.group(4) != null ? m.group(4) : "";
    }

    public boolean early() {
        return !pre.isEmpty();
    }

    /** As the slug of a build has it: 28-ea+18-1-Debian gives 28-ea_18. The packager's suffix names the package, not the source. */
    public String slug() {
        String version = numbers.stream().map(String::valueOf).collect(Collectors.joining("."));
        return version + (early() ? "-" + pre.toLowerCase(Locale.ROOT) : "") + (build > 0 ? "_" + build : "");
    }

    /** Version numbers, then 0 for early access or 1, then the build: ordered as an array it is the order of history. */
    public List<Long> order() {
        List<Long> order = new ArrayList<>(numbers);
        while (order.size() < PLACES) {
            order.add(0L);
        }
        order.add(early() ? 0L : 1L);
        order.add(build);
        return List.copyOf(order);
    }
}
