package dev.loomboard.server.vertx;

import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.util.function.Consumer;

/** A verticle that answers the workloads over HTTP. Instances share the port, and Vert.x shares out the connections. */
abstract class HttpVerticle extends VerticleBase {

    static final String OK = "ok";

    private final Site site;

    HttpVerticle(Site site) {
        this.site = site;
    }

    /** Adds the workloads. */
    abstract void route(Router router);

    /** Goes on with what a database answers, once it has. */
    abstract <T> void then(RoutingContext context, Future<T> coming, Consumer<T> goesOn);

    @Override
    public final Future<?> start() {
        Router router = Router.router(vertx);
        router.get("/ready").handler(context -> answer(context, "ready"));
        route(router);
        site.database().ifPresent(database -> new DatabaseRoutes(database, this::then).route(router));
        router.route().failureHandler(HttpVerticle::refuse);
        return vertx.createHttpServer()
                .requestHandler(router)
                .listen(site.port(), site.address())
                .onSuccess(server -> site.listening().tryComplete(server.actualPort()));
    }

    static void answer(RoutingContext context, String text) {
        context.response().putHeader(HttpHeaders.CONTENT_TYPE, "text/plain").end(text);
    }

    /** An object of this request's own, written by Vert.x's JSON. */
    static void json(RoutingContext context) {
        context.json(new JsonObject().put("message", "Hello, World!"));
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
