package dev.loomboard.server.jdkhttp;

import com.sun.net.httpserver.HttpExchange;
import java.sql.SQLException;
import java.util.Optional;

/** The five operations of the workload {@code todo}: one question to the database a request. */
final class TodoHandler extends AnsweringHandler {

    static final String PATH = "/todo";

    private final Todos todos;

    TodoHandler(Todos todos) {
        this.todos = todos;
    }

    @Override
    Answer answer(HttpExchange exchange) throws SQLException {
        String rest = exchange.getRequestURI().getPath().substring(PATH.length());
        return rest.isEmpty() ? ofAll(exchange) : ofOne(exchange, Parameters.id(rest.substring(1)));
    }

    private Answer ofAll(HttpExchange exchange) throws SQLException {
        return switch (exchange.getRequestMethod()) {
            case "GET" -> {
                Parameters parameters = Parameters.of(exchange.getRequestURI().getQuery());
                yield Answer.json(200, todos.list(parameters.from()));
            }
            case "POST" -> {
                Todo todo = Json.read(exchange.getRequestBody(), Todo.class);
                todos.write(todo);
                yield Answer.json(201, todo);
            }
            default -> Answer.empty(405);
        };
    }

    private Answer ofOne(HttpExchange exchange, int id) throws SQLException {
        return switch (exchange.getRequestMethod()) {
            case "GET" -> orNotFound(todos.find(id));
            case "PUT" -> {
                Todo todo = Json.read(exchange.getRequestBody(), Todo.class).withId(id);
                yield orNotFound(todos.change(todo) ? Optional.of(todo) : Optional.empty());
            }
            case "DELETE" -> {
                todos.remove(id);
                yield Answer.empty(204);
            }
            default -> Answer.empty(405);
        };
    }

    private static Answer orNotFound(Optional<Todo> todo) {
        return todo.map(found -> Answer.json(200, found)).orElse(Answer.empty(404));
    }
}
