package dev.loomboard.server.quarkus;

import io.quarkus.resteasy.reactive.server.EndpointDisabled;
import io.smallrye.mutiny.Uni;
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

/** The operations of the workload {@code todo} on event loops, which no method holds. */
@Path("/todo")
@Produces(MediaType.APPLICATION_JSON)
@EndpointDisabled(name = Variant.REACTIVE_ON, stringValue = "off", disableIfMissing = true)
public final class ReactiveTodoResource {

    private final Todos todos;

    ReactiveTodoResource(Todos todos) {
        this.todos = todos;
    }

    @GET
    public Uni<List<Todo>> list(@RestQuery String from) {
        return todos.list(Parameters.from(from));
    }

    @GET
    @Path("{id}")
    public Uni<RestResponse<Todo>> read(@RestPath int id) {
        return todos.find(id).map(TodoAnswer::orNotFound);
    }

    @POST
    public Uni<RestResponse<Todo>> create(Todo todo) {
        return todos.write(todo).map(TodoAnswer::created);
    }

    @PUT
    @Path("{id}")
    public Uni<RestResponse<Todo>> update(@RestPath int id, Todo todo) {
        return todos.change(todo.withId(id)).map(TodoAnswer::orNotFound);
    }

    @DELETE
    @Path("{id}")
    public Uni<Void> delete(@RestPath int id) {
        return todos.remove(id);
    }
}
