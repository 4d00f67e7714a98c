package dev.loomboard.kit;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Whether containers can be had here, as the engine's own command sees it. Testcontainers would find out too, but takes
 * minutes to give up on an image that cannot be pulled.
 */
final class ContainerEngine {

    private static final int LOOK_SECONDS = 5;
    private static final int PULL_SECONDS = 120;

    private ContainerEngine() {}

    /** True when an engine runs and has the image, pulled now if need be. */
    static boolean has(String image) {
        return succeeds(LOOK_SECONDS, "docker", "version")
                && (succeeds(LOOK_SECONDS, "docker", "image", "inspect", image)
                        || succeeds(PULL_SECONDS, "docker", "pull", "--quiet", image));
    }

    private static boolean succeeds(int seconds, String... command) {
        Process process;
        try {
            process = new ProcessBuilder(List.of(command))
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
        } catch (IOException e) {
            return false; // the command is not installed
        }
        try {
            return process.waitFor(seconds, TimeUnit.SECONDS) && process.exitValue() == 0;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } finally {
            process.destroyForcibly();
        }
    }
}
