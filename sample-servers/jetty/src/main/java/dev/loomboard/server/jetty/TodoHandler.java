package dev.loomboard.server.jetty;

import java.io.IOException;
import java.util.Optional;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;

/** The five operations of the workload {@code todo}: one question to the database a request. */
final class TodoHandler extends AnsweringHandler {

    static final String PATH = "/todo";

    private final Todos todos;

    TodoHandler(Todos todos) {
        this.todos = todos;
    }

    @Override
    Answer answer(Request request, Response response) throws Exception {
        String rest = request.getHttpURI().getCanonicalPath().substring(PATH.length());
        return rest.isEmpty() ? ofAll(request) : ofOne(request, Parameters.id(rest.substring(1)));
    }

    private Answer ofAll(Request request) throws Exception {
        return switch (request.getMethod()) {
            case "GET" -> {
                Parameters parameters = new Parameters(Request.extractQueryParameters(request));
                yield Answer.json(200, todos.list(parameters.from()));
            }
            case "POST" -> {
                Todo todo = body(request);
                todos.write(todo);
                yield Answer.json(201, todo);
            }
            default -> Answer.empty(405);
        };
    }

    private Answer ofOne(Request request, int id) throws Exception {
        return switch (request.getMethod()) {
            case "GET" -> orNotFound(todos.find(id));
            case "PUT" -> {
                Todo todo = body(request).withId(id);
                yield orNotFound(todos.change(todo) ? Optional.of(todo) : Optional.empty());
            }
            case "DELETE" -> {
                todos.remove(id);
                yield Answer.empty(204);
            }
            default -> Answer.empty(405);
        };
    }

    private static Todo body(Request request) throws IOException {
        return Json.read(Content.Source.asString(request), Todo.class);
    }

    private static Answer orNotFound(Optional<Todo> todo) {
        return todo.map(found -> Answer.json(200, found)).orElse(Answer.empty(404));
    }
}
