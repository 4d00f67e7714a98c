package dev.loomboard.outbox;

import dev.loomboard.notice.NoticeKind;
import java.util.Set;

/**
 * Of what of a workspace a person wants mails.
 *
 * @param workspace slug
 * @param kinds empty: none
 */
public record MailChoice(String workspace, String name, Set<NoticeKind> kinds) {

    public MailChoice {
        kinds = Set.copyOf(kinds);
    }

    public boolean has(NoticeKind kind) {
        return kinds.contains(kind);
    }
}
