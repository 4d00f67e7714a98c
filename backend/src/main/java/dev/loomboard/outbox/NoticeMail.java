package dev.loomboard.outbox;

import dev.loomboard.mail.Mail;
import dev.loomboard.notice.NoticeKind;
import dev.loomboard.web.PeopleUrls;
import dev.loomboard.web.Urls;
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
        next(notice.what(), site).forEach(sentence -> lines.add("- " + sentence));
        lines.add("");
        lines.add("You get this mail because you belong to the workspace " + notice.workspaceName()
                + ", and mails of what is " + notice.what().kind().choice() + " are on for you.");
        lines.add("It is the only one of this build: what is confirmed within a day after it is on its page.");
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

    private static List<String> next(ToldBuild what, String site) {
        List<String> next = new ArrayList<>();
        boolean pages = what.changes().stream().anyMatch(change -> change.page() != null);
        next.add("See all that is known of this build: " + site
                + Urls.regressionsOn(what.build().slug()));
        if (what.kind() != NoticeKind.FASTER && pages) {
            next.add("Say on the page of a change whether it is expected, or that you look after it: others see that.");
            next.add(
                    "Start a bisection on the page of a change: it searches the builds between the two for the one that"
                            + " brought it, and says before how long that takes.");
            next.add(
                    "If you doubt it, ask for a rerun on the page of a change, where none has measured both builds in turns.");
        }
        return next;
    }
}
