package dev.loomboard.webhook;

import dev.loomboard.kernel.WireName;

/** Where the operator lets webhooks lead ({@code LOOMBOARD_WEBHOOKS}). */
public enum WebhookReach implements WireName {
    /** By https to public addresses. */
    PUBLIC,
    /** By http too, and to addresses of the operator's own network: for an installation whose owners are all trusted with that. */
    ANYWHERE,
    /** Nowhere: there are none. */
    NOWHERE
}
