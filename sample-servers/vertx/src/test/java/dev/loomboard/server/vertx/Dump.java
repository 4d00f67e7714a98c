package dev.loomboard.server.vertx;

import com.sun.management.HotSpotDiagnosticMXBean;
import com.sun.management.HotSpotDiagnosticMXBean.ThreadDumpFormat;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/** The threads of this JVM, virtual ones among them. */
final class Dump {

    private Dump() {}

    /** The first lines ({@code #22 "name" virtual}) of the threads that are in a method of a class now. */
    static List<String> threadsIn(Class<?> type) throws IOException {
        Path folder = Files.createTempDirectory("dump");
        Path file = folder.resolve("threads.txt");
        try {
            ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
                    .dumpThreads(file.toString(), ThreadDumpFormat.TEXT_PLAIN);
            return Arrays.stream(Files.readString(file).split("\n\n"))
                    .filter(thread -> thread.startsWith("#") && thread.contains(type.getName() + "."))
                    .map(thread -> thread.lines().findFirst().orElseThrow())
                    .toList();
        } finally {
            Files.deleteIfExists(file);
            Files.delete(folder);
        }
    }
}
