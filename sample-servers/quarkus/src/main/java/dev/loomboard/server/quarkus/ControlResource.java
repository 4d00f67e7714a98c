package dev.loomboard.server.quarkus;

import io.smallrye.common.annotation.NonBlocking;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;

/** What the agent needs before a measurement; never part of one. */
@Path("/ready")
public final class ControlResource {

    @GET
    @NonBlocking
    @Produces(MediaType.TEXT_PLAIN)
    public String ready() {
        return "ready";
    }
}
