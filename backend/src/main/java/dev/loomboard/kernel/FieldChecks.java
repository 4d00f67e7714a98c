package dev.loomboard.kernel;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Checks for the compact constructors of records that are read from the wire, where JSON may have left anything null.
 * A refusal names the field; the place of the record in the body is added by whoever reads it.
 */
public final class FieldChecks {

    public static final Pattern SLUG = Pattern.compile("[a-z0-9][a-z0-9-]{0,62}");
    public static final Pattern SHA256 = Pattern.compile("[0-9a-f]{64}");

    private static final int SHOWN = 80;

    /** Clocks are wrong, but not by decades; PostgreSQL cannot store every year that Java can read. */
    private static final Instant EARLIEST = Instant.parse("2000-01-01T00:00:00Z");

    private static final Instant LATEST = Instant.parse("2200-01-01T00:00:00Z");

    private FieldChecks() {}

    /** A field's value cannot be accepted. The field is kept apart, so that the record's own place can be put before it. */
    public static final class Refused extends IllegalArgumentException {
        private final String field;
        private final String what;

        public Refused(String field, String what) {
            super(field + " " + what);
            this.field = field;
            this.what = what;
        }

        public String field() {
            return field;
        }

        public String what() {
            return what;
        }
    }

    public static <T> T present(String field, @Nullable T value) {
        if (value == null) {
            throw new Refused(field, "is missing");
        }
        return value;
    }

    /** A text of 1 to {@code most} characters. */
    public static String text(String field, @Nullable String value, int most) {
        String text = present(field, value);
        if (text.isBlank() || text.length() > most) {
            throw new Refused(field, "must have 1 to " + most + " characters, has " + text.length());
        }
        return text;
    }

    public static String matching(String field, @Nullable String value, Pattern form) {
        String text = present(field, value);
        if (!form.matcher(text).matches()) {
            throw new Refused(field, "must match " + form + ", is: " + shortened(text));
        }
        return text;
    }

    public static String oneOf(String field, @Nullable String value, List<String> allowed) {
        String text = present(field, value);
        if (!allowed.contains(text)) {
            throw new Refused(field, "must be one of " + String.join(", ", allowed) + ", is: " + shortened(text));
        }
        return text;
    }

    /** A time of RFC 3339. */
    public static Instant instant(String field, @Nullable String text) {
        try {
            Instant instant = OffsetDateTime.parse(present(field, text)).toInstant();
            if (instant.isBefore(EARLIEST) || instant.isAfter(LATEST)) {
                throw new Refused(field, "must be a time between 2000 and 2200");
            }
            return instant;
        } catch (DateTimeException e) {
            throw new Refused(field, "must be a time such as 2026-11-21T02:55:00.123456789Z");
        }
    }

    public static int between(String field, int value, int least, int most) {
        if (value < least || value > most) {
            throw new Refused(field, "must be from " + least + " to " + most + ", is: " + value);
        }
        return value;
    }

    /** A list without gaps of at most {@code most}. */
    public static <T> List<T> list(String field, @Nullable List<T> value, int most) {
        List<T> list = present(field, value);
        if (list.size() > most) {
            throw new Refused(field, "must have at most " + most + " entries, has " + list.size());
        }
        int gap = list.indexOf(null);
        if (gap >= 0) {
            throw new Refused(field + "[" + gap + "]", "must not be null");
        }
        return List.copyOf(list);
    }

    /** A map without gaps. */
    public static <T> Map<String, T> map(String field, @Nullable Map<String, T> value) {
        Map<String, T> map = present(field, value);
        map.forEach((name, entry) -> {
            if (entry == null) {
                throw new Refused(field + "." + name, "must not be null");
            }
        });
        return Map.copyOf(map);
    }

    private static String shortened(String text) {
        return text.length() <= SHOWN ? text : text.substring(0, SHOWN) + "…";
    }
}
