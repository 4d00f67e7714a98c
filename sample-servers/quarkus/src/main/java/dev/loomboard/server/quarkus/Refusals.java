package dev.loomboard.server.quarkus;

import jakarta.ws.rs.core.MediaType;
import org.jboss.resteasy.reactive.RestResponse;
import org.jboss.resteasy.reactive.RestResponse.ResponseBuilder;
import org.jboss.resteasy.reactive.RestResponse.Status;
import org.jboss.resteasy.reactive.server.ServerExceptionMapper;

/** Answers what cannot be done. */
public final class Refusals {

    @ServerExceptionMapper
    public RestResponse<String> refuse(BadParameter bad) {
        return ResponseBuilder.create(Status.BAD_REQUEST, bad.getMessage())
                .type(MediaType.TEXT_PLAIN_TYPE)
                .build();
    }
}
