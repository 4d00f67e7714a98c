package dev.loomboard.server.micronaut;

import io.micronaut.context.annotation.Requires;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.annotation.Body;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Delete;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.Put;
import io.micronaut.http.annotation.QueryValue;
import io.micronaut.http.annotation.Status;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;

/** The five operations of the workload {@code todo}: one question to the database a request. */
@Controller("/todo")
@Requires(property = "datasources.default.url")
@ExecuteOn(TaskExecutors.BLOCKING)
final class TodoController {

    private final Todos todos;

    TodoController(DataSource database) {
        this.todos = new Todos(database);
    }

    @Get
    List<Todo> list(@QueryValue(defaultValue = "1") int from) throws SQLException {
        return todos.list(from);
    }

    /** An empty answer is 404. */
    @Get("/{id}")
    Optional<Todo> read(int id) throws SQLException {
        return todos.find(id);
    }

    @Post
    HttpResponse<Todo> create(@Body Todo todo) throws SQLException {
        todos.write(todo);
        return HttpResponse.created(todo);
    }

    @Put("/{id}")
    Optional<Todo> update(int id, @Body Todo given) throws SQLException {
        Todo todo = given.withId(id);
        return todos.change(todo) ? Optional.of(todo) : Optional.empty();
    }

    @Delete("/{id}")
    @Status(HttpStatus.NO_CONTENT)
    void delete(int id) throws SQLException {
        todos.remove(id);
    }
}
