package dev.loomboard.kernel;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Checks for the compact constructors of records that are read from the wire, where JSON may have left anything null.
 * A refusal names the field; the place of the record in the body is added by the reader.
 */
public final class FieldChecks {

    public static final Pattern SLUG = Pattern.compile("[a-z0-9][a-z0-9-]{0,62}");
    public static final Pattern SHA256 = Pattern.compile("[0-9a-f]{64}");

    private static final int SHOWN = 80;
    private static final int MOST_ENTRIES = 1000;
    private static final int LONGEST_NAME = 200;
    private static final int LONGEST_VALUE = 4000;

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

    /** A text of 1 to {@code most} characters that PostgreSQL can store. */
    public static String text(String field, @Nullable String value, int most) {
        String text = present(field, value);
        if (text.isBlank() || text.length() > most) {
            throw new Refused(field, "must have 1 to " + most + " characters, has " + text.length());
        }
        return storable(field, text);
    }

    /** A text of 0 to {@code most} code points that PostgreSQL can store. */
    public static String atMost(String field, @Nullable String value, int most) {
        String text = present(field, value);
        if (text.codePointCount(0, text.length()) > most) {
            throw new Refused(field, "must have at most " + most + " characters");
        }
        return storable(field, text);
    }

    public static void atMostOrNull(String field, @Nullable String value, int most) {
        if (value != null) {
            atMost(field, value, most);
        }
    }

    private static String storable(String field, String text) {
        String problem = Characters.unstorable(text);
        if (problem != null) {
            throw new Refused(field, problem);
        }
        return text;
    }

    /** Names and texts of JSON of any shape, as its reader made it: PostgreSQL can store them all. */
    public static void allStorable(String field, @Nullable Object json) {
        each(field, json, Characters::unstorable);
    }

    /** Names and texts that people wrote, of any shape: none looks like what it is not. */
    public static void noneDeceptive(String field, @Nullable Object json) {
        each(field, json, Characters::deceptive);
    }

    private static void each(String field, @Nullable Object json, Function<String, @Nullable String> problem) {
        switch (json) {
            case String text -> {
                String found = problem.apply(text);
                if (found != null) {
                    throw new Refused(field, found);
                }
            }
            case List<?> list -> {
                for (int i = 0; i < list.size(); i++) {
                    each(field + "[" + i + "]", list.get(i), problem);
                }
            }
            case Map<?, ?> map ->
                map.forEach((name, entry) -> {
                    each(field, String.valueOf(name), problem);
                    each(field.isEmpty() ? "" + name : field + "." + name, entry, problem);
                });
            case null, default -> {}
        }
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

    /** What is wrong with a text that is no constant of an enum. */
    public static String notOneOf(Class<? extends WireName> type, String text) {
        return "must be one of " + WireName.choices(type) + ", is: " + shortened(text);
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

    public static void between(String field, long value, long least, long most) {
        if (value < least || value > most) {
            throw new Refused(
                    field,
                    most == Long.MAX_VALUE
                            ? "must be at least " + least + ", is: " + value
                            : "must be from " + least + " to " + most + ", is: " + value);
        }
    }

    public static void notNegative(String field, long value) {
        between(field, value, 0, Long.MAX_VALUE);
    }

    public static void notNegative(String field, @Nullable Long value) {
        if (value != null) {
            notNegative(field, value.longValue());
        }
    }

    /** {@code next} comes after {@code previous}. */
    public static void ascending(String field, long previous, long next) {
        if (next <= previous) {
            throw new Refused(field, "must be later than the one before, " + previous + ", is: " + next);
        }
    }

    /** JSON has no NaN, but its reader takes the text "NaN" and makes 1e999 infinite. */
    public static void finite(String field, @Nullable Double value) {
        if (value != null && !Double.isFinite(value)) {
            throw new Refused(field, "must be a finite number");
        }
    }

    public static void positive(String field, @Nullable Double value) {
        finite(field, value);
        if (value != null && value <= 0) {
            throw new Refused(field, "must be above 0, is: " + value);
        }
    }

    /** @param why it has no place here */
    public static void absent(String field, @Nullable Object value, String why) {
        if (value != null) {
            throw new Refused(field, "must be left out: " + why);
        }
    }

    /** A list without gaps of at most {@code most}. */
    public static <T> List<T> list(String field, @Nullable List<T> value, int most) {
        List<T> list = present(field, value);
        if (list.size() > most) {
            throw new Refused(field, "must have at most " + most + " entries, has " + list.size());
        }
        int gap = gap(list);
        if (gap >= 0) {
            throw new Refused(field + "[" + gap + "]", "must not be null");
        }
        return List.copyOf(list);
    }

    /** The place of the first null, or -1. An immutable list does not take the question for one. */
    private static int gap(List<?> list) {
        int place = 0;
        for (Object entry : list) {
            if (entry == null) {
                return place;
            }
            place++;
        }
        return -1;
    }

    /** A list without gaps of at most {@code most}; absent is empty. */
    public static <T> List<T> listOrNull(String field, @Nullable List<T> value, int most) {
        return value == null ? List.of() : list(field, value, most);
    }

    /** Names to texts. */
    public static void texts(String field, @Nullable Map<String, String> value) {
        names(field, value).forEach((name, text) -> atMost(field + "." + name, text, LONGEST_VALUE));
    }

    /** Names to values, none of them null. */
    public static void counts(String field, @Nullable Map<String, ?> value) {
        names(field, value).forEach((name, count) -> present(field + "." + name, count));
    }

    /** Keeps its maker from naming things without end, or such as PostgreSQL cannot store. */
    public static <T> Map<String, T> names(String field, @Nullable Map<String, T> value) {
        Map<String, T> map = present(field, value);
        if (map.size() > MOST_ENTRIES) {
            throw new Refused(field, "must have at most " + MOST_ENTRIES + " entries, has " + map.size());
        }
        map.keySet().forEach(name -> atMost(field, name, LONGEST_NAME));
        return map;
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
        return (text.length() <= SHOWN ? text : text.substring(0, SHOWN) + "…").replace('\0', '?');
    }
}
