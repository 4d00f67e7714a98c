package dev.loomboard.server.micronaut;

import java.util.Arrays;
import java.util.Map;
import java.util.stream.Collectors;

/** Which threads run what blocks. */
enum Variant {
    PLATFORM("platform", Map.of("micronaut.executors.blocking.type", "cached")),
    VIRTUAL("virtual", Map.of()); // as Micronaut has it

    private final String title;
    final Map<String, String> properties;

    Variant(String title, Map<String, String> properties) {
        this.title = title;
        this.properties = properties;
    }

    static Variant named(String title) {
        return Arrays.stream(values())
                .filter(variant -> variant.title.equals(title))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("--variant must be one of "
                        + Arrays.stream(values()).map(variant -> variant.title).collect(Collectors.joining(", "))
                        + ", but is " + title));
    }
}
