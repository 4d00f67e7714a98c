package dev.loomboard.kit;

import java.io.IOException;
import java.util.concurrent.TimeUnit;

/**
 * Whether containers can be had here, as {@code .make/engine} finds out, which CI asks too. Testcontainers would notice
 * by itself, but takes minutes to give up on an image that cannot be pulled.
 */
final class ContainerEngine {

    /** The script gives up earlier by itself. */
    private static final int PATIENCE_SECONDS = 180;

    private ContainerEngine() {}

    /** True when an engine runs and has the image, pulled now if need be. */
    static boolean has(String image) {
        Process process;
        try {
            process = new ProcessBuilder("../.make/engine", image)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
        } catch (IOException e) {
            throw new IllegalStateException("the tests run in the folder backend, beside .make", e);
        }
        try {
            return process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS) && process.exitValue() == 0;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } finally {
            process.destroyForcibly();
        }
    }
}
