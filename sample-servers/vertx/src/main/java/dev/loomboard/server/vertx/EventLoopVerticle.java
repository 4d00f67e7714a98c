package dev.loomboard.server.vertx;

import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The workloads, written the way of an event loop: handlers return at once. A calculation goes to the worker pool, and a
 * delay is a timer for which no thread waits.
 */
final class EventLoopVerticle extends HttpVerticle {

    EventLoopVerticle(Site site) {
        super(site);
    }

    @Override
    void route(Router router) {
        router.post("/empty").handler(text(request -> Future.succeededFuture(OK)));
        router.post("/io").handler(text(request -> delayed(OK, Parameters.delayMs(request, 100))));
        router.post("/compute").handler(text(this::compute));
        router.post("/matmul").handler(text(request -> multiplyThenDelay(request, 200, 25)));
        router.post("/mixed").handler(text(request -> multiplyThenDelay(request, 150, 100)));
        router.post("/json").handler(HttpVerticle::json);
        router.post("/thread-start").handler(text(this::threadStart));
    }

    @Override
    <T> void then(RoutingContext context, Future<T> coming, Consumer<T> goesOn) {
        coming.onSuccess(goesOn::accept).onFailure(context::fail);
    }

    private static Handler<RoutingContext> text(Function<HttpServerRequest, Future<String>> workload) {
        return context -> workload.apply(context.request())
                .onSuccess(text -> answer(context, text))
                .onFailure(context::fail);
    }

    private Future<String> compute(HttpServerRequest request) {
        OptionalLong seed = Parameters.seed(request);
        return onWorker(() -> Work.compute(seed));
    }

    private Future<String> multiplyThenDelay(HttpServerRequest request, int usualSize, long usualDelayMs) {
        int size = Parameters.size(request, usualSize);
        long delayMs = Parameters.delayMs(request, usualDelayMs);
        OptionalLong seed = Parameters.seed(request);
        return onWorker(() -> Work.matmul(size, seed)).compose(cell -> delayed(cell, delayMs));
    }

    /** A batch: as many platform threads as asked for, one after the other. Event loops are platform threads. */
    private Future<String> threadStart(HttpServerRequest request) {
        int count = Parameters.count(request, 100_000);
        return onWorker(() -> Threads.startOneByOne(count, false));
    }

    /** Not ordered: the calculations of one verticle do not wait for each other. */
    private Future<String> onWorker(Callable<String> work) {
        return vertx.executeBlocking(work, false);
    }

    private Future<String> delayed(String text, long delayMs) {
        // A timer of no time is refused.
        return delayMs == 0
                ? Future.succeededFuture(text)
                : vertx.timer(delayMs).map(text);
    }
}
