package dev.loomboard.server.helidon;

import io.helidon.http.Status;
import io.helidon.webserver.http.HttpRules;
import io.helidon.webserver.http.HttpService;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.sql.SQLException;
import java.util.Optional;

/** The five operations of the workload {@code todo}: one question to the database a request. */
record TodoService(Todos todos) implements HttpService {

    @Override
    public void routing(HttpRules rules) {
        rules.get("/todo", this::list)
                .post("/todo", this::create)
                .get("/todo/{id}", this::read)
                .put("/todo/{id}", this::update)
                .delete("/todo/{id}", this::delete);
    }

    private void list(ServerRequest request, ServerResponse response) throws SQLException {
        response.send(todos.list(new Parameters(request).from()));
    }

    private void create(ServerRequest request, ServerResponse response) throws SQLException {
        Todo todo = request.content().as(Todo.class);
        todos.write(todo);
        response.status(Status.CREATED_201).send(todo);
    }

    private void read(ServerRequest request, ServerResponse response) throws SQLException {
        sendOrNotFound(todos.find(new Parameters(request).id()), response);
    }

    private void update(ServerRequest request, ServerResponse response) throws SQLException {
        Todo todo = request.content().as(Todo.class).withId(new Parameters(request).id());
        sendOrNotFound(todos.change(todo) ? Optional.of(todo) : Optional.empty(), response);
    }

    private void delete(ServerRequest request, ServerResponse response) throws SQLException {
        todos.remove(new Parameters(request).id());
        response.status(Status.NO_CONTENT_204).send();
    }

    private static void sendOrNotFound(Optional<Todo> todo, ServerResponse response) {
        todo.ifPresentOrElse(
                response::send, () -> response.status(Status.NOT_FOUND_404).send());
    }
}
