package dev.loomboard.outbox;

import dev.loomboard.mail.Mail;
import dev.loomboard.view.Format;
import java.util.ArrayList;
import java.util.List;

/** The notices of a day as one mail. */
final class SummaryMail {

    /** Of each notice; its page has all. */
    static final int MOST_CHANGES = 5;

    private SummaryMail() {}

    /** @param notices the oldest first, not empty */
    static Mail of(List<ToldNotice> notices, Addressee to, String site, String unsubscribe) {
        List<String> lines = new ArrayList<>();
        lines.add(what(notices) + " since the summary before.");
        lines.add("");
        for (int i = 0; i < notices.size(); i++) {
            ToldNotice notice = notices.get(i);
            lines.add("== " + (i + 1) + " of " + notices.size() + " ==");
            lines.add("");
            lines.addAll(NoticeText.of(notice, MOST_CHANGES, site));
            lines.add("All that is known of it: " + site + notice.what().path());
            lines.add("");
        }
        lines.add("You get this mail because you belong to the workspace " + to.workspaceName()
                + " and chose one mail a day.");
        lines.addAll(NoticeMail.ends(site, unsubscribe));
        return new Mail(
                to.email(),
                "[" + to.workspace() + "] Daily summary: " + Markdown.line(what(notices)),
                NoticeText.joined(lines),
                NoticeMail.headers(unsubscribe));
    }

    private static String what(List<ToldNotice> notices) {
        long changes = notices.stream().mapToLong(SummaryMail::changes).sum();
        return notices.size() == 1
                ? notices.getFirst().what().title()
                : Format.of(notices.size(), "notice") + (changes == 0 ? "" : " with " + Format.of(changes, "change"));
    }

    private static long changes(ToldNotice notice) {
        return notice.what() instanceof ToldBuild build ? build.changes().size() : 0;
    }
}
