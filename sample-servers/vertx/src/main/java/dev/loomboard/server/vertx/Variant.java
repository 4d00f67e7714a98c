package dev.loomboard.server.vertx;

import io.vertx.core.ThreadingModel;
import java.util.Arrays;
import java.util.stream.Collectors;

/** Which threads a verticle's code runs on, and which verticle is written for them. */
enum Variant {
    EVENT_LOOP("event-loop", ThreadingModel.EVENT_LOOP) {
        @Override
        HttpVerticle verticle(Site site) {
            return new EventLoopVerticle(site);
        }
    },
    VIRTUAL("virtual", ThreadingModel.VIRTUAL_THREAD) {
        @Override
        HttpVerticle verticle(Site site) {
            return new VirtualVerticle(site);
        }
    };

    final String title;
    final ThreadingModel threads;

    Variant(String title, ThreadingModel threads) {
        this.title = title;
        this.threads = threads;
    }

    abstract HttpVerticle verticle(Site site);

    static Variant named(String title) {
        return Arrays.stream(values())
                .filter(variant -> variant.title.equals(title))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("--variant must be one of "
                        + Arrays.stream(values()).map(variant -> variant.title).collect(Collectors.joining(", "))
                        + ", but is " + title));
    }
}
