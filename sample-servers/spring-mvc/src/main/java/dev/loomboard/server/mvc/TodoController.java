package dev.loomboard.server.mvc;

import java.sql.SQLException;
import java.util.List;
import javax.sql.DataSource;
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

/** The five operations of the workload {@code todo}: one question to the database a request. */
@RestController
@RequestMapping(path = "/todo", produces = MediaType.APPLICATION_JSON_VALUE)
@ConditionalOnProperty("loomboard.database.address")
final class TodoController {

    private final Todos todos;

    TodoController(DataSource database) {
        this.todos = new Todos(database);
    }

    @GetMapping
    List<Todo> list(@RequestParam(defaultValue = "1") int from) throws SQLException {
        return todos.list(from);
    }

    @GetMapping("/{id}")
    ResponseEntity<Todo> read(@PathVariable int id) throws SQLException {
        return ResponseEntity.of(todos.find(id));
    }

    @PostMapping
    @ResponseStatus(HttpStatus.CREATED)
    Todo create(@RequestBody Todo todo) throws SQLException {
        todos.write(todo);
        return todo;
    }

    @PutMapping("/{id}")
    ResponseEntity<Todo> update(@PathVariable int id, @RequestBody Todo given) throws SQLException {
        Todo todo = given.withId(id);
        return todos.change(todo)
                ? ResponseEntity.ok(todo)
                : ResponseEntity.notFound().build();
    }

    @DeleteMapping("/{id}")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void delete(@PathVariable int id) throws SQLException {
        todos.remove(id);
    }
}
