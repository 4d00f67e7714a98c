package dev.loomboard.webhook;

import dev.loomboard.notice.NoticeKind;
import java.time.Instant;
import java.util.Set;

/**
 * One of a workspace's webhooks, as its owners see it.
 *
 * @param id external id
 * @param host of its address: the rest of an address may be a secret
 * @param by name of the owner who made it
 */
public record Webhook(
        String id, String name, String host, BodyForm form, Set<NoticeKind> kinds, String by, Instant created) {

    public Webhook {
        kinds = Set.copyOf(kinds);
    }

    public boolean has(NoticeKind kind) {
        return kinds.contains(kind);
    }
}
