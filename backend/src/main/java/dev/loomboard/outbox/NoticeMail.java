package dev.loomboard.outbox;

import dev.loomboard.mail.Mail;
import dev.loomboard.web.PeopleUrls;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A notice as a mail of plain text, from which its reader can decide what to do. */
final class NoticeMail {

    /** In full; the page has all. */
    static final int MOST_CHANGES = 20;

    private NoticeMail() {}

    /**
     * @param site scheme, host and port
     * @param unsubscribe address of the page that ends such mails to this person
     */
    static Mail of(ToldNotice notice, String to, String site, String unsubscribe) {
        List<String> lines = new ArrayList<>(NoticeText.of(notice, MOST_CHANGES, site));
        lines.add("What you can do");
        NoticeText.next(notice, site).forEach(sentence -> lines.add("- " + sentence));
        lines.add("");
        lines.add("You get this mail because you belong to the workspace " + notice.workspaceName() + ", and mails of "
                + notice.what().kind().choice() + " are on for you.");
        lines.add(
                switch (notice.what()) {
                    case ToldBuild build ->
                        "It is the only one of this build: what is confirmed within a day after it is on its page.";
                    case ToldAlarm alarm -> "It is the only one until that is over.";
                });
        lines.addAll(ends(site, unsubscribe));
        return new Mail(
                to,
                "[" + notice.workspace() + "] " + Markdown.line(notice.what().title()),
                NoticeText.joined(lines),
                headers(unsubscribe));
    }

    /** How to have other mails, or none. */
    static List<String> ends(String site, String unsubscribe) {
        return List.of(
                "Choose your mails: " + site + PeopleUrls.mails(), "No more mails of this workspace: " + unsubscribe);
    }

    /** One click in the reader's program ends such mails (RFC 8058); programs that answer mails by themselves do not answer (RFC 3834). */
    static Map<String, String> headers(String unsubscribe) {
        return Map.of(
                "List-Unsubscribe", "<" + unsubscribe + ">",
                "List-Unsubscribe-Post", "List-Unsubscribe=One-Click",
                "Auto-Submitted", "auto-generated");
    }
}
