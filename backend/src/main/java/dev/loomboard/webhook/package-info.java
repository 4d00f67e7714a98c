/**
 * Webhooks: confirmed changes, sent to addresses of other services that owners of a workspace name.
 *
 * <p>{@link WebhookChannelService} is their way out of the {@code outbox}; {@link WebhookClientService} makes the requests, to no address
 * that {@link PublicAddress} refuses; {@link WebhookSecret} signs them and {@link WebhookBody} is what they say. {@link WebhookPages} is
 * where owners make and remove them, and send again what was given up.
 *
 * <p>It must not know how notices are gathered.
 */
@NullMarked
package dev.loomboard.webhook;

import org.jspecify.annotations.NullMarked;
