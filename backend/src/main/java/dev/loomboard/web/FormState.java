package dev.loomboard.web;

import dev.loomboard.kernel.Internal;
import dev.loomboard.web.Problem.FieldError;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.springframework.util.MultiValueMap;

/**
 * A form as it was typed, with what is wrong about it: shown again, it loses nothing and says beside each field what to
 * mend.
 */
public record FormState(Map<String, List<String>> values, List<FieldError> problems) implements Internal {

    public FormState {
        values = Map.copyOf(values);
        problems = List.copyOf(problems);
    }

    /** A form with initial values. */
    public static FormState with(Map<String, String> initial) {
        Map<String, List<String>> values = new TreeMap<>();
        initial.forEach((name, value) -> values.put(name, List.of(value)));
        return new FormState(values, List.of());
    }

    public static FormState typed(MultiValueMap<String, String> form) {
        Map<String, List<String>> values = new TreeMap<>();
        form.forEach((name, all) ->
                values.put(name, all.stream().filter(v -> v != null).toList()));
        values.remove(FormToken.FIELD);
        return new FormState(values, List.of());
    }

    public FormState refused(List<FieldError> found) {
        return new FormState(values, found);
    }

    /** What the field holds; empty when it is absent. */
    public String value(String field) {
        List<String> all = values.getOrDefault(field, List.of());
        return all.isEmpty() ? "" : all.getFirst();
    }

    /** All that the field holds: of boxes to tick those that were. */
    public List<String> all(String field) {
        return values.getOrDefault(field, List.of());
    }

    public boolean is(String field, String value) {
        return all(field).contains(value);
    }

    /** What is wrong with the field; null: nothing. */
    public @Nullable String problem(String field) {
        return FieldError.of(field, problems);
    }

    public boolean isRefused() {
        return !problems.isEmpty();
    }
}
