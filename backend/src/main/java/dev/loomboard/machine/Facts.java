package dev.loomboard.machine;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Host facts, which are JSON of any depth, as a flat list for a page: {@code cpu.cores = 2}. */
public final class Facts {

    private Facts() {}

    public record Fact(String name, String value) {}

    static List<Fact> flat(Map<String, Object> facts) {
        List<Fact> flat = new ArrayList<>();
        add(flat, "", facts);
        return List.copyOf(flat);
    }

    private static void add(List<Fact> flat, String name, @Nullable Object value) {
        switch (value) {
            case null -> flat.add(new Fact(name, "not known"));
            case Map<?, ?> map ->
                new TreeMap<>(map)
                        .forEach((key, inner) -> add(flat, name.isEmpty() ? "" + key : name + "." + key, inner));
            case List<?> list ->
                flat.add(new Fact(name, list.stream().map(String::valueOf).collect(Collectors.joining(", "))));
            case Object plain -> flat.add(new Fact(name, plain.toString()));
        }
    }
}
