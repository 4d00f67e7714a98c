package dev.loomboard.outbox;

import dev.loomboard.kernel.WireName;

/** How far a message is. */
public enum MessageState implements WireName {
    WAITING,
    /** A replica has it. */
    SENDING,
    SENT,
    /** Not accepted, and tried again. */
    FAILED,
    /** Given up. */
    DEAD
}
