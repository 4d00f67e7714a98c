package dev.loomboard.server.jdkhttp;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;

/** Answers requests by a workload. */
record WorkloadHandler(Workload workload) implements HttpHandler {

    private static final Logger LOG = System.getLogger(WorkloadHandler.class.getName());

    private record Answer(int status, String contentType, String body) {}

    @Override
    public void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            if (!exchange.getRequestMethod().equals("POST")) {
                exchange.getResponseHeaders().set("Allow", "POST");
                exchange.sendResponseHeaders(405, -1);
                return;
            }
            Answer answer = answer(exchange);
            byte[] body = answer.body().getBytes(UTF_8);
            exchange.getResponseHeaders().set("Content-Type", answer.contentType());
            exchange.sendResponseHeaders(answer.status(), body.length);
            exchange.getResponseBody().write(body);
        }
    }

    private Answer answer(HttpExchange exchange) {
        try {
            Parameters parameters = Parameters.of(exchange.getRequestURI().getQuery());
            return new Answer(200, workload.contentType(), workload.answer(parameters));
        } catch (BadParameter e) {
            return new Answer(400, Workload.TEXT, e.getMessage());
        } catch (Exception e) {
            LOG.log(Level.ERROR, "failed: " + exchange.getRequestURI(), e);
            return new Answer(500, Workload.TEXT, "failed");
        }
    }
}
