package dev.loomboard.server.vertx;

import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;

/** A verticle that answers the workloads over HTTP. Instances share the port, and Vert.x shares out the connections. */
abstract class HttpVerticle extends VerticleBase {

    static final String OK = "ok";

    private final Site site;

    HttpVerticle(Site site) {
        this.site = site;
    }

    /** Adds the workloads. */
    abstract void route(Router router);

    /** Adds the workload that asks the database. */
    abstract void route(Router router, Fortunes fortunes);

    @Override
    public final Future<?> start() {
        Router router = Router.router(vertx);
        router.get("/ready").handler(context -> answer(context, "ready"));
        route(router);
        site.fortunes().ifPresent(fortunes -> route(router, fortunes));
        router.route().failureHandler(HttpVerticle::refuse);
        return vertx.createHttpServer()
                .requestHandler(router)
                .listen(site.port(), site.address())
                .onSuccess(server -> site.listening().tryComplete(server.actualPort()));
    }

    static void answer(RoutingContext context, String text) {
        context.response().putHeader(HttpHeaders.CONTENT_TYPE, "text/plain").end(text);
    }

    private static void refuse(RoutingContext context) {
        if (context.failure() instanceof Parameters.BadParameter bad) {
            context.response().setStatusCode(400);
            answer(context, bad.getMessage());
        } else {
            context.next(); // to Vert.x, which answers 500
        }
    }
}
