package dev.loomboard.outbox;

import dev.loomboard.cron.Zones;
import dev.loomboard.web.FormState;
import dev.loomboard.web.Page;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A person's choice of mails, and what came of the newest.
 *
 * @param email where they go
 * @param proven false: no mail goes to an address that nobody has proven
 * @param mailed false: the operator named no mail server
 * @param form a choice that was not saved, as it was typed; null: none was refused
 * @param done what was done just before; null: nothing
 * @param refused why what was asked for was not done; null: it was
 */
public record MailChoicePage(
        List<MailChoice> choices,
        List<SentMail> sent,
        String email,
        boolean proven,
        boolean mailed,
        @Nullable FormState form,
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

    /** Shown again with what is wrong about it. */
    MailChoicePage refused(FormState typed) {
        return new MailChoicePage(choices, sent, email, proven, mailed, typed, done, refused);
    }

    /** As its fields stand. */
    public FormState form(MailChoice choice) {
        return form != null && form.value("workspace").equals(choice.workspace()) ? form : choice.form();
    }

    public List<String> zones() {
        return Zones.OFFERED;
    }
}
