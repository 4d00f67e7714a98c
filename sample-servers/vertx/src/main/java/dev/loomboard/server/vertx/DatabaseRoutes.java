package dev.loomboard.server.vertx;

import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.BodyHandler;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** The workloads that ask the database. Verticles differ in how they wait for it, and in nothing else. */
record DatabaseRoutes(Database database, Waiting waiting) {

    /** How a verticle goes on when something has come. */
    interface Waiting {
        <T> void then(RoutingContext context, Future<T> coming, Consumer<T> goesOn);
    }

    void route(Router router) {
        router.post("/fortunes")
                .handler(context -> waiting.then(context, database.fortunes().select(), context::json));
        router.post("/sql-sleep").handler(this::sqlSleep);
        router.get("/todo").handler(this::list);
        router.post("/todo").handler(BodyHandler.create(false)).handler(this::create);
        router.get("/todo/:id").handler(this::read);
        router.put("/todo/:id").handler(BodyHandler.create(false)).handler(this::update);
        router.delete("/todo/:id").handler(this::delete);
    }

    private void sqlSleep(RoutingContext context) {
        long delayMs = Parameters.delayMs(context.request(), 100);
        waiting.then(context, database.sleep(delayMs), done -> HttpVerticle.answer(context, HttpVerticle.OK));
    }

    private void list(RoutingContext context) {
        int from = Parameters.from(context.request());
        waiting.then(context, database.todos().list(from), rows -> context.json(json(rows)));
    }

    private void create(RoutingContext context) {
        Todo todo = Todo.of(context.body().asJsonObject());
        waiting.then(context, database.todos().write(todo), written -> {
            context.response().setStatusCode(201);
            context.json(written.json());
        });
    }

    private void read(RoutingContext context) {
        orNotFound(context, database.todos().find(Parameters.id(context.pathParam("id"))));
    }

    private void update(RoutingContext context) {
        Todo todo = Todo.of(context.body().asJsonObject()).withId(Parameters.id(context.pathParam("id")));
        orNotFound(context, database.todos().change(todo));
    }

    private void delete(RoutingContext context) {
        int id = Parameters.id(context.pathParam("id"));
        waiting.then(
                context,
                database.todos().remove(id),
                done -> context.response().setStatusCode(204).end());
    }

    private void orNotFound(RoutingContext context, Future<Optional<Todo>> coming) {
        waiting.then(
                context,
                coming,
                todo -> todo.ifPresentOrElse(found -> context.json(found.json()), () -> context.fail(404)));
    }

    private static JsonArray json(List<Todo> rows) {
        JsonArray array = new JsonArray();
        rows.forEach(todo -> array.add(todo.json()));
        return array;
    }
}
