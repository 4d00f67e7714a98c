package dev.loomboard.measurement;

import dev.loomboard.kernel.FieldChecks;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Checks for the compact constructors of an upload's records, where JSON may have left anything null. A refusal carries
 * its field apart from its message, so that the reader can put the record's own place before it.
 */
final class Check {

    static final Pattern SHA256 = Pattern.compile("[0-9a-f]{64}");
    static final Pattern TRIAL_ID = Pattern.compile("trl_[a-z2-7]{20}");
    static final Pattern JDK_SLUG = Pattern.compile("[a-z0-9][a-z0-9._+-]{0,119}");

    private static final int SHOWN = 80;
    private static final int MOST_ENTRIES = 1000;
    private static final int LONGEST_NAME = 200;
    private static final int LONGEST_VALUE = 4000;

    private Check() {}

    public static <T> T present(String field, @Nullable T value) {
        if (value == null) {
            throw new FieldChecks.Refused(field, "is missing");
        }
        return value;
    }

    /** A text of at most {@code most} characters. */
    public static String text(String field, @Nullable String value, int most) {
        String text = present(field, value);
        if (text.codePointCount(0, text.length()) > most) {
            throw new FieldChecks.Refused(field, "must have at most " + most + " characters");
        }
        if (text.indexOf('\0') >= 0) { // PostgreSQL keeps no such text
            throw new FieldChecks.Refused(field, "must not contain U+0000");
        }
        return text;
    }

    public static @Nullable String optional(String field, @Nullable String value, int most) {
        return value == null ? null : text(field, value, most);
    }

    public static String matching(String field, @Nullable String value, Pattern form) {
        String text = present(field, value);
        if (!form.matcher(text).matches()) {
            throw new FieldChecks.Refused(
                    field,
                    "must match " + form + ", is: "
                            + (text.length() <= SHOWN ? text : text.substring(0, SHOWN) + "…").replace('\0', '?'));
        }
        return text;
    }

    public static long between(String field, long value, long least, long most) {
        if (value < least || value > most) {
            throw new FieldChecks.Refused(
                    field,
                    most == Long.MAX_VALUE
                            ? "must be at least " + least + ", is: " + value
                            : "must be from " + least + " to " + most + ", is: " + value);
        }
        return value;
    }

    public static long notNegative(String field, long value) {
        return between(field, value, 0, Long.MAX_VALUE);
    }

    public static @Nullable Long notNegativeOrNull(String field, @Nullable Long value) {
        return value == null ? null : (Long) notNegative(field, value);
    }

    /** @param why it has no place here */
    public static void absent(String field, @Nullable Object value, String why) {
        if (value != null) {
            throw new FieldChecks.Refused(field, "must be left out: " + why);
        }
    }

    /** JSON has no NaN, but its reader takes the text "NaN" and makes 1e999 infinite. */
    public static double finite(String field, double value) {
        if (!Double.isFinite(value)) {
            throw new FieldChecks.Refused(field, "must be a finite number");
        }
        return value;
    }

    public static @Nullable Double finiteOrNull(String field, @Nullable Double value) {
        return value == null ? null : (Double) finite(field, value);
    }

    /** A list without gaps of at most {@code most}; absent is empty. */
    public static <T> List<T> list(String field, @Nullable List<T> value, int most) {
        if (value == null) {
            return List.of();
        }
        if (value.size() > most) {
            throw new FieldChecks.Refused(field, "must have at most " + most + " entries, has " + value.size());
        }
        int gap = value.indexOf(null);
        if (gap >= 0) {
            throw new FieldChecks.Refused(field + "[" + gap + "]", "must not be null");
        }
        return List.copyOf(value);
    }

    public static <T> List<T> required(String field, @Nullable List<T> value, int most) {
        return list(field, present(field, value), most);
    }

    /** Names to texts; absent is empty. */
    public static Map<String, String> texts(String field, @Nullable Map<String, String> value) {
        if (value == null) {
            return Map.of();
        }
        names(field, value);
        value.forEach((name, text) -> text(field + "." + name, text, LONGEST_VALUE));
        return Map.copyOf(value);
    }

    /** Names to counts. */
    public static Map<String, Long> counts(String field, @Nullable Map<String, Long> value) {
        if (value == null) {
            return Map.of();
        }
        names(field, value);
        value.forEach((name, count) -> present(field + "." + name, count));
        return Map.copyOf(value);
    }

    /** Keeps its maker from naming things without end, or such as PostgreSQL cannot store. */
    public static void names(String field, Map<String, ?> value) {
        if (value.size() > MOST_ENTRIES) {
            throw new FieldChecks.Refused(field, "must have at most " + MOST_ENTRIES + " entries, has " + value.size());
        }
        value.keySet().forEach(name -> text(field, name, LONGEST_NAME));
    }

    /** {@code next} comes after {@code previous}. */
    public static void ascending(String field, long previous, long next) {
        if (next <= previous) {
            throw new FieldChecks.Refused(field, "must be later than the one before, " + previous + ", is: " + next);
        }
    }
}
