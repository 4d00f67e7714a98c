package dev.loomboard.server.vertx;

import io.vertx.core.http.HttpServerRequest;
import java.util.OptionalLong;

/**
 * What a request asks for, from its query string: enough for every matrix file, too little to take the machine down by
 * a typing error.
 */
final class Parameters {

    private static final long MAX_DELAY_MS = 60_000;
    private static final int MAX_SIZE = 1_000;
    private static final int MAX_COUNT = 2_000_000;

    private Parameters() {}

    /** A parameter that is answered with 400; the message names it. */
    static final class BadParameter extends RuntimeException {
        BadParameter(String message) {
            super(message);
        }
    }

    static OptionalLong seed(HttpServerRequest request) {
        String text = request.getParam("seed");
        return text == null ? OptionalLong.empty() : OptionalLong.of(number("seed", text));
    }

    static long delayMs(HttpServerRequest request, long otherwise) {
        return within(request, "delayMs", otherwise, 0, MAX_DELAY_MS);
    }

    static int size(HttpServerRequest request, int otherwise) {
        return (int) within(request, "size", otherwise, 1, MAX_SIZE);
    }

    static int count(HttpServerRequest request, int otherwise) {
        return (int) within(request, "count", otherwise, 1, MAX_COUNT);
    }

    static int from(HttpServerRequest request) {
        return (int) within(request, "from", 1, Integer.MIN_VALUE, Integer.MAX_VALUE);
    }

    /** That of a row, by the path of a request. */
    static int id(String text) {
        try {
            return Integer.parseInt(text);
        } catch (NumberFormatException e) {
            throw new BadParameter("id must be a whole number of 32 bits, but is " + text);
        }
    }

    private static long within(HttpServerRequest request, String name, long otherwise, long least, long most) {
        String text = request.getParam(name);
        long value = text == null ? otherwise : number(name, text);
        if (value < least || value > most) {
            throw new BadParameter(name + " must be " + least + " to " + most + ", but is " + value);
        }
        return value;
    }

    private static long number(String name, String text) {
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException e) {
            throw new BadParameter(name + " must be a whole number of 64 bits, but is " + text);
        }
    }
}
