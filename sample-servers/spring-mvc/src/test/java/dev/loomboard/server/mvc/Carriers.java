package dev.loomboard.server.mvc;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/** A JVM of its own, since its scheduler of virtual threads is made once: it prints which carriers it has used. */
final class Carriers {

    /** More than any fixed number of carriers that is worth a variant. */
    private static final int THREADS = 64;

    private Carriers() {}

    /** The carriers on which virtual threads ran in a JVM with these options. */
    static List<String> of(List<String> jvmOptions) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(
                ProcessHandle.current().info().command().orElseThrow(), "-cp", System.getProperty("java.class.path")));
        command.addAll(1, jvmOptions);
        command.add(Carriers.class.getName());
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IllegalStateException(printed);
        }
        return printed.lines().distinct().toList();
    }

    /** Threads are busy for a while, so that every carrier there is gets some of them. */
    public static void main(String[] args) throws InterruptedException {
        var ended = new CountDownLatch(THREADS);
        for (int i = 0; i < THREADS; i++) {
            Thread.startVirtualThread(() -> {
                String name = Thread.currentThread().toString(); // VirtualThread[#22]/runnable@ForkJoinPool-1-worker-1
                System.out.println(name.substring(name.indexOf('@')));
                long until = System.nanoTime() + 2_000_000;
                while (System.nanoTime() < until) {
                    Thread.onSpinWait();
                }
                ended.countDown();
            });
        }
        ended.await();
    }
}
