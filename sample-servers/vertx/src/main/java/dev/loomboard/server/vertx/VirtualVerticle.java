package dev.loomboard.server.vertx;

import io.vertx.core.Future;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.util.function.Consumer;

/**
 * The workloads, written one line after the other, as virtual threads let it: what is to be waited for is awaited, and
 * the verticle goes on with other requests. One of them runs at a time, so the verticle has several instances.
 */
final class VirtualVerticle extends HttpVerticle {

    VirtualVerticle(Site site) {
        super(site);
    }

    @Override
    void route(Router router) {
        router.post("/empty").handler(context -> answer(context, OK));
        router.post("/io").handler(this::io);
        router.post("/compute").handler(context -> answer(context, Work.compute(Parameters.seed(context.request()))));
        router.post("/matmul").handler(context -> multiplyThenDelay(context, 200, 25));
        router.post("/mixed").handler(context -> multiplyThenDelay(context, 150, 100));
        router.post("/json").handler(HttpVerticle::json);
        router.post("/thread-start").handler(VirtualVerticle::threadStart);
    }

    @Override
    <T> void then(RoutingContext context, Future<T> coming, Consumer<T> goesOn) {
        goesOn.accept(coming.await());
    }

    private void io(RoutingContext context) {
        delay(Parameters.delayMs(context.request(), 100));
        answer(context, OK);
    }

    private void multiplyThenDelay(RoutingContext context, int usualSize, long usualDelayMs) {
        HttpServerRequest request = context.request();
        int size = Parameters.size(request, usualSize);
        long delayMs = Parameters.delayMs(request, usualDelayMs);
        String cell = Work.matmul(size, Parameters.seed(request));
        delay(delayMs);
        answer(context, cell);
    }

    /** A batch: as many threads of the kind that serves this request, one after the other. */
    private static void threadStart(RoutingContext context) {
        int count = Parameters.count(context.request(), 100_000);
        try {
            answer(context, Threads.startOneByOne(count, Thread.currentThread().isVirtual()));
        } catch (InterruptedException e) {
            context.fail(e);
        }
    }

    private void delay(long delayMs) {
        if (delayMs > 0) { // a timer of no time is refused
            vertx.timer(delayMs).await();
        }
    }
}
