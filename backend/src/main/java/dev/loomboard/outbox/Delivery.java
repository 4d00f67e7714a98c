package dev.loomboard.outbox;

import java.time.Instant;

/** What came of an attempt to send a message. */
public sealed interface Delivery {

    /** Its receiver has accepted it. */
    record Accepted() implements Delivery {}

    /** It was not tried: its receiver wants it later. */
    record Later(Instant until) implements Delivery {}

    /**
     * It was not accepted, as far as can be told.
     *
     * @param why for people
     * @param forGood it would not be accepted later either
     */
    record Failed(String why, boolean forGood) implements Delivery {}
}
