package dev.loomboard.server.quarkus;

import io.quarkus.resteasy.reactive.server.EndpointDisabled;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.util.List;
import org.jboss.resteasy.reactive.RestPath;
import org.jboss.resteasy.reactive.RestQuery;
import org.jboss.resteasy.reactive.RestResponse;

/** The operations of the workload {@code todo} on threads of the worker pool. */
@Path("/todo")
@Produces(MediaType.APPLICATION_JSON)
@EndpointDisabled(name = Variant.BLOCKING_ON, stringValue = "off", disableIfMissing = true)
public final class BlockingTodoResource {

    private final Todos todos;

    BlockingTodoResource(Todos todos) {
        this.todos = todos;
    }

    @GET
    public List<Todo> list(@RestQuery String from) {
        return todos.list(Parameters.from(from)).await().indefinitely();
    }

    @GET
    @Path("{id}")
    public RestResponse<Todo> read(@RestPath int id) {
        return TodoAnswer.orNotFound(todos.find(id).await().indefinitely());
    }

    @POST
    public RestResponse<Todo> create(Todo todo) {
        return TodoAnswer.created(todos.write(todo).await().indefinitely());
    }

    @PUT
    @Path("{id}")
    public RestResponse<Todo> update(@RestPath int id, Todo todo) {
        return TodoAnswer.orNotFound(todos.change(todo.withId(id)).await().indefinitely());
    }

    @DELETE
    @Path("{id}")
    public void delete(@RestPath int id) {
        todos.remove(id).await().indefinitely();
    }
}
