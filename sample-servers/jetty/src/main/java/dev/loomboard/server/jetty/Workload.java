package dev.loomboard.server.jetty;

/** What the server does for one request. */
@FunctionalInterface
interface Workload {

    String TEXT = "text/plain;charset=utf-8";
    String JSON = "application/json";

    String answer(Parameters parameters) throws Exception;

    default String contentType() {
        return TEXT;
    }
}
