package dev.loomboard.outbox;

import dev.loomboard.kernel.WireName;

/** How a message is sent. */
public enum Channel implements WireName {
    MAIL,
    WEBHOOK
}
