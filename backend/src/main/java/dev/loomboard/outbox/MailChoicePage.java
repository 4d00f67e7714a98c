package dev.loomboard.outbox;

import dev.loomboard.notice.NoticeKind;
import dev.loomboard.web.Page;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A person's choice of mails, and what came of the newest.
 *
 * @param email where they go
 * @param proven false: no mail goes to an address that nobody has proven
 * @param mailed false: the operator named no mail server
 * @param done what was done just before; null: nothing
 * @param refused why what was asked for was not done; null: it was
 */
public record MailChoicePage(
        List<MailChoice> choices,
        List<SentMail> sent,
        String email,
        boolean proven,
        boolean mailed,
        @Nullable String done,
        @Nullable String refused)
        implements Page {

    public MailChoicePage {
        choices = List.copyOf(choices);
        sent = List.copyOf(sent);
    }

    @Override
    public String template() {
        return "account/mails.jte";
    }

    public List<NoticeKind> kinds() {
        return List.of(NoticeKind.values());
    }
}
