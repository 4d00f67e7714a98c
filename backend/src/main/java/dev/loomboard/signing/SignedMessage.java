package dev.loomboard.signing;

import static dev.loomboard.signing.Ed25519.ascii;

/** What agents are sent with a signature. Each kind begins with a line of its own, so a signature of one is none of another. */
public enum SignedMessage {
    /** What a claim is answered. */
    ASSIGNMENT("loomboard.assignment/1\n"),
    /** The list of servers that can be installed. */
    SERVER_LIST("loomboard.server-list/1\n");

    private final String start;

    SignedMessage(String start) {
        this.start = start;
    }

    /** The bytes that are signed before the body's own. */
    byte[] before(String machine, String nonce) {
        return ascii(start + machine + "\n" + nonce + "\n");
    }

    String start() {
        return start;
    }
}
