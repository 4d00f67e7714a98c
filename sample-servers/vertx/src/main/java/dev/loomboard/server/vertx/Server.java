package dev.loomboard.server.vertx;

import io.vertx.core.DeploymentOptions;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Vert.x with the verticles of one variant, which listen.
 *
 * @param port on which they do
 */
record Server(Vertx vertx, int port) implements AutoCloseable {

    /** A verticle does one thing at a time: as many instances as processors keep all of them busy. */
    static final int INSTANCES = Runtime.getRuntime().availableProcessors();

    private static final int STOP_SECONDS = 2;

    static Server start(Settings settings) {
        Vertx vertx = Vertx.vertx();
        try {
            Variant variant = settings.variant();
            Site site = new Site(
                    settings.address(),
                    settings.port(),
                    Promise.promise(),
                    settings.database().map(database -> Database.of(vertx, database)));
            vertx.deployVerticle(
                            () -> variant.verticle(site),
                            new DeploymentOptions()
                                    .setThreadingModel(variant.threads)
                                    .setInstances(INSTANCES))
                    .await();
            return new Server(vertx, site.listening().future().result());
        } catch (Throwable e) { // await throws whatever failed
            vertx.close();
            throw e;
        }
    }

    /** The agent waits for the end of a trial: requests in flight get a moment. */
    @Override
    public void close() {
        try {
            vertx.close().await(STOP_SECONDS, TimeUnit.SECONDS);
        } catch (TimeoutException e) {
            // What still runs ends with the JVM.
        }
    }
}
