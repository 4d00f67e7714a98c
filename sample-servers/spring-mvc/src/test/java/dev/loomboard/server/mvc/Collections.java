package dev.loomboard.server.mvc;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;

/** Garbage collections of this JVM so far. */
final class Collections {

    private Collections() {}

    static long count() {
        return ManagementFactory.getGarbageCollectorMXBeans().stream()
                .mapToLong(GarbageCollectorMXBean::getCollectionCount)
                .sum();
    }
}
