package dev.loomboard.server.jdkhttp;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;

/** Sends answers, and says what was wrong with a request. */
abstract class AnsweringHandler implements HttpHandler {

    private static final Logger LOG = System.getLogger(AnsweringHandler.class.getName());

    /** How the server says that there is no body; its 0 would be one of unknown length. */
    private static final int NO_BODY = -1;

    abstract Answer answer(HttpExchange exchange) throws Exception;

    @Override
    public final void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            Answer answer = orFailure(exchange);
            if (answer.body().isEmpty()) {
                exchange.sendResponseHeaders(answer.status(), NO_BODY);
                return;
            }
            byte[] body = answer.body().getBytes(UTF_8);
            exchange.getResponseHeaders().set("Content-Type", answer.contentType());
            exchange.sendResponseHeaders(answer.status(), body.length);
            exchange.getResponseBody().write(body);
        }
    }

    private Answer orFailure(HttpExchange exchange) {
        try {
            return answer(exchange);
        } catch (BadParameter e) {
            return Answer.text(400, e.getMessage());
        } catch (Exception e) {
            LOG.log(Level.ERROR, "failed: " + exchange.getRequestURI(), e);
            return Answer.text(500, "failed");
        }
    }
}
