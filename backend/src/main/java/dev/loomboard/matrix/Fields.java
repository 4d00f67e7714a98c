package dev.loomboard.matrix;

import dev.loomboard.cell.CanonicalText;
import dev.loomboard.web.Problem.FieldError;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A mapping of a YAML document, read field by field. A field that is absent or wrong is noted with its path and read as
 * something harmless, so that one reading finds every problem.
 */
final class Fields {

    private final Map<?, ?> map;
    private final String path;
    private final List<FieldError> problems;
    private final Set<String> asked = new HashSet<>();

    private Fields(Map<?, ?> map, String path, List<FieldError> problems) {
        this.map = map;
        this.path = path;
        this.problems = problems;
    }

    static Fields of(@Nullable Object value, String path, List<FieldError> problems) {
        if (value instanceof Map<?, ?> map) {
            return new Fields(map, path, problems);
        }
        problems.add(new FieldError(path.isEmpty() ? "(document)" : path, "must be a mapping of names to values"));
        return new Fields(Map.of(), path, new ArrayList<>()); // its fields would only repeat that
    }

    boolean has(String name) {
        asked.add(name);
        return map.get(name) != null;
    }

    void refuse(String name, String message) {
        problems.add(new FieldError(at(name), message));
    }

    /** Notes every field that nobody asked for: a misspelt option must not be ignored. */
    void noOthers() {
        for (Object key : map.keySet()) {
            if (!asked.contains(String.valueOf(key))) {
                refuse(String.valueOf(key), "is not a known field");
            }
        }
    }

    String text(String name, Predicate<String> form, String mustBe) {
        Object value = required(name);
        if (value instanceof String text && form.test(text)) {
            return text;
        }
        if (value != null) {
            refuse(name, "must be " + mustBe + ", is: " + value);
        }
        return "";
    }

    double number(String name, double above, double most) {
        Object value = required(name);
        if (value == null) {
            return 1;
        }
        if (value instanceof Number number && number.doubleValue() > above && number.doubleValue() <= most) {
            return number.doubleValue();
        }
        refuse(
                name,
                "must be a number above " + CanonicalText.number(above) + " and at most " + CanonicalText.number(most)
                        + ", is: " + value);
        return 1;
    }

    /** The same, when it may be left out. */
    double numberOr(String name, double fallback, double above, double most) {
        return has(name) ? number(name, above, most) : fallback;
    }

    /** A length of time that may be zero or left out. */
    double seconds(String name, double fallback, double most) {
        if (!has(name)) {
            return fallback;
        }
        if (map.get(name) instanceof Number number && number.doubleValue() >= 0 && number.doubleValue() <= most) {
            return number.doubleValue();
        }
        refuse(name, "must be a number of seconds from 0 to " + CanonicalText.number(most) + ", is: " + map.get(name));
        return fallback;
    }

    int whole(String name, int fallback, int least, int most) {
        if (!has(name)) {
            return fallback;
        }
        if (map.get(name) instanceof Integer number && number >= least && number <= most) {
            return number;
        }
        refuse(name, "must be a whole number from " + least + " to " + most + ", is: " + map.get(name));
        return fallback;
    }

    boolean flag(String name) {
        if (!has(name)) {
            return false;
        }
        if (map.get(name) instanceof Boolean flag) {
            return flag;
        }
        refuse(name, "must be true or false, is: " + map.get(name));
        return false;
    }

    /** @param item reads one element; its path is given */
    <T> List<T> list(String name, boolean mayBeEmpty, BiFunction<@Nullable Object, String, @Nullable T> item) {
        asked.add(name);
        Object value = map.get(name);
        if (value == null && mayBeEmpty) {
            return List.of();
        }
        if (!(value instanceof List<?> elements)) {
            refuse(name, value == null ? "is missing" : "must be a list");
            return List.of();
        }
        if (elements.isEmpty() && !mayBeEmpty) {
            refuse(name, "must not be empty");
        }
        List<T> read = new ArrayList<>();
        for (int i = 0; i < elements.size(); i++) {
            T element = item.apply(elements.get(i), at(name) + "[" + i + "]");
            if (element != null) {
                read.add(element);
            }
        }
        return read;
    }

    /** Texts; a plain number such as the selector 25 is one too. */
    List<String> texts(String name, boolean mayBeEmpty, Predicate<String> form, String mustBe) {
        return list(name, mayBeEmpty, (value, at) -> {
            String text = value instanceof String || value instanceof Integer ? value.toString() : null;
            if (text == null || !form.test(text)) {
                problems.add(new FieldError(at, "must be " + mustBe + ", is: " + value));
                return null;
            }
            return text;
        });
    }

    Fields child(String name) {
        asked.add(name);
        Object value = map.get(name);
        if (value == null) {
            refuse(name, "is missing");
            return new Fields(Map.of(), at(name), new ArrayList<>());
        }
        return of(value, at(name), problems);
    }

    /** A mapping of names to single values; absent: empty. */
    Map<String, Object> params(String name) {
        if (!has(name)) {
            return Map.of();
        }
        if (!(map.get(name) instanceof Map<?, ?> params)) {
            refuse(name, "must be a mapping of names to values");
            return Map.of();
        }
        Map<String, Object> read = new TreeMap<>();
        params.forEach((key, value) -> {
            if (key instanceof String text
                    && (value instanceof String || value instanceof Number || value instanceof Boolean)) {
                read.put(text, value);
            } else {
                problems.add(new FieldError(at(name) + "." + key, "must be a text, a number, true or false"));
            }
        });
        return read;
    }

    private @Nullable Object required(String name) {
        asked.add(name);
        Object value = map.get(name);
        if (value == null) {
            refuse(name, "is missing");
        }
        return value;
    }

    private String at(String name) {
        return path.isEmpty() ? name : path + "." + name;
    }
}
