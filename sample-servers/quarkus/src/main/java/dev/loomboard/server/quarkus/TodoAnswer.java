package dev.loomboard.server.quarkus;

import java.util.Optional;
import org.jboss.resteasy.reactive.RestResponse;

/** How operations of the workload {@code todo} are answered, whoever waits for them. */
final class TodoAnswer {

    private TodoAnswer() {}

    static RestResponse<Todo> created(Todo todo) {
        return RestResponse.status(RestResponse.Status.CREATED, todo);
    }

    static RestResponse<Todo> orNotFound(Optional<Todo> todo) {
        return todo.map(RestResponse::ok).orElseGet(RestResponse::notFound);
    }
}
