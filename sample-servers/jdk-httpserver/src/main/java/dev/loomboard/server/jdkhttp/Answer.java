package dev.loomboard.server.jdkhttp;

/**
 * What a request is answered with.
 *
 * @param body empty: none
 */
record Answer(int status, String contentType, String body) {

    static Answer text(int status, String text) {
        return new Answer(status, Workload.TEXT, text);
    }

    static Answer json(int status, Object value) {
        return new Answer(status, Workload.JSON, Json.text(value));
    }

    static Answer empty(int status) {
        return text(status, "");
    }
}
