package dev.loomboard.server.mvc;

import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** What the agent needs around a measurement; never part of one. */
@RestController
@RequestMapping(produces = MediaType.TEXT_PLAIN_VALUE)
final class ControlController {

    @GetMapping("/ready")
    String ready() {
        return "ready";
    }

    /** Asks for a full collection and answers when it is over; the caller proves by counters that one happened. */
    @PostMapping("/gc")
    String gc() {
        System.gc();
        return "ok";
    }
}
