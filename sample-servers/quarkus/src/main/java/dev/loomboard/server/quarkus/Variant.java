package dev.loomboard.server.quarkus;

import java.util.Arrays;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Which of the resources answers. The others are disabled when the server starts. */
enum Variant {
    BLOCKING("blocking", Variant.BLOCKING_ON),
    VIRTUAL("virtual", Variant.VIRTUAL_ON),
    REACTIVE("reactive", Variant.REACTIVE_ON);

    /** The properties that turn one on, for annotations. */
    static final String BLOCKING_ON = "loomboard.blocking";

    static final String VIRTUAL_ON = "loomboard.virtual";
    static final String REACTIVE_ON = "loomboard.reactive";

    private final String title;
    final String property;

    Variant(String title, String property) {
        this.title = title;
        this.property = property;
    }

    static Stream<Variant> all() {
        return Arrays.stream(values());
    }

    static Variant named(String title) {
        return all().filter(variant -> variant.title.equals(title))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("--variant must be one of "
                        + all().map(variant -> variant.title).collect(Collectors.joining(", "))
                        + ", but is " + title));
    }
}
