package dev.loomboard.server.jdkhttp;

/** An object of this request's own as JSON. */
final class Hello implements Workload {

    @Override
    public String answer(Parameters parameters) {
        return Json.text(new Message("Hello, World!"));
    }

    @Override
    public String contentType() {
        return JSON;
    }
}
