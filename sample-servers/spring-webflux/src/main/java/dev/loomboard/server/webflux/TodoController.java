package dev.loomboard.server.webflux;

import io.r2dbc.pool.ConnectionPool;
import java.util.List;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;

/** The five operations of the workload {@code todo}: one question to the database a request. */
@RestController
@RequestMapping(path = "/todo", produces = MediaType.APPLICATION_JSON_VALUE)
@ConditionalOnProperty("loomboard.database.address")
final class TodoController {

    private final Todos todos;

    TodoController(ConnectionPool database) {
        this.todos = new Todos(database);
    }

    @GetMapping
    Mono<List<Todo>> list(@RequestParam(defaultValue = "1") int from) {
        return todos.list(from);
    }

    @GetMapping("/{id}")
    Mono<ResponseEntity<Todo>> read(@PathVariable int id) {
        return orNotFound(todos.find(id));
    }

    @PostMapping
    @ResponseStatus(HttpStatus.CREATED)
    Mono<Todo> create(@RequestBody Todo todo) {
        return todos.write(todo);
    }

    @PutMapping("/{id}")
    Mono<ResponseEntity<Todo>> update(@PathVariable int id, @RequestBody Todo given) {
        return orNotFound(todos.change(given.withId(id)));
    }

    @DeleteMapping("/{id}")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    Mono<Void> delete(@PathVariable int id) {
        return todos.remove(id);
    }

    private static Mono<ResponseEntity<Todo>> orNotFound(Mono<Todo> todo) {
        return todo.map(ResponseEntity::ok)
                .defaultIfEmpty(ResponseEntity.notFound().build());
    }
}
