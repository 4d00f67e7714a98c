package dev.loomboard.server.quarkus;

/** A parameter that cannot be read or is out of range; the message names it and is the answer. */
public final class BadParameter extends RuntimeException {

    private static final long serialVersionUID = 1;

    BadParameter(String message) {
        super(message);
    }
}
