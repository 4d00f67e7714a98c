package dev.loomboard.server.jdkhttp;

import com.sun.net.httpserver.HttpExchange;

/** Answers requests by a workload. */
final class WorkloadHandler extends AnsweringHandler {

    private final Workload workload;

    WorkloadHandler(Workload workload) {
        this.workload = workload;
    }

    @Override
    Answer answer(HttpExchange exchange) throws Exception {
        if (!exchange.getRequestMethod().equals("POST")) {
            exchange.getResponseHeaders().set("Allow", "POST");
            return Answer.empty(405);
        }
        Parameters parameters = Parameters.of(exchange.getRequestURI().getQuery());
        return new Answer(200, workload.contentType(), workload.answer(parameters));
    }
}
