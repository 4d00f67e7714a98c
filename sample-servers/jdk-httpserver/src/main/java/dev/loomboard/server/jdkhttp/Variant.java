package dev.loomboard.server.jdkhttp;

import java.util.Arrays;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;

/** The threads that requests run on. Without an executor the server would run all of them on one. */
enum Variant {
    PLATFORM_64("platform-64") {
        @Override
        ExecutorService threads() {
            return Executors.newFixedThreadPool(64);
        }
    },
    VIRTUAL("virtual") {
        @Override
        ExecutorService threads() {
            return Executors.newVirtualThreadPerTaskExecutor();
        }
    };

    private final String title;

    Variant(String title) {
        this.title = title;
    }

    abstract ExecutorService threads();

    /** A server is never measured under a name that it does not run: an unknown one stops the start. */
    static Variant named(String title) {
        return Arrays.stream(values())
                .filter(variant -> variant.title.equals(title))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("variant must be one of "
                        + Arrays.stream(values()).map(Variant::toString).collect(Collectors.joining(", ")) + ", but is "
                        + title));
    }

    @Override
    public String toString() {
        return title;
    }
}
