package dev.loomboard.server.micronaut;

import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;

/** What the agent needs before a measurement; never part of one. */
@Controller
final class ControlController {

    @Get(uri = "/ready", produces = MediaType.TEXT_PLAIN)
    String ready() {
        return "ready";
    }
}
