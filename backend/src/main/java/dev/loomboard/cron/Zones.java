package dev.loomboard.cron;

import java.time.ZoneId;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The IANA names that a schedule's zone may have. */
public final class Zones {

    private static final Set<String> KNOWN = ZoneId.getAvailableZoneIds();

    /** What a form offers: places and UTC, without the abbreviations, some of which mean two things. */
    public static final List<String> OFFERED = KNOWN.stream()
            .filter(z -> z.equals("UTC")
                    || (z.contains("/") && !z.startsWith("Etc/") && !z.startsWith("SystemV/") && !z.startsWith("US/")))
            .sorted()
            .toList();

    private Zones() {}

    /** What is wrong and what may have been meant; null: nothing. */
    public static @Nullable String problem(String zone) {
        if (zone.isEmpty()) {
            return "is missing: a place such as Europe/Berlin, or UTC";
        }
        if (OFFERED.contains(zone)) {
            return null;
        }
        String word =
                zone.substring(zone.lastIndexOf('/') + 1).replace(' ', '_').toLowerCase(Locale.ROOT);
        List<String> close = word.length() < 3
                ? List.of()
                : OFFERED.stream()
                        .filter(z -> z.toLowerCase(Locale.ROOT).contains(word))
                        .limit(3)
                        .toList();
        return "must be the IANA name of a zone such as Europe/Berlin, or UTC"
                + (close.isEmpty() ? "" : "; did you mean " + String.join(" or ", close) + "?");
    }
}
