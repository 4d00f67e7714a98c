package dev.loomboard.outbox;

import dev.loomboard.mail.Mail;
import dev.loomboard.notice.NoticeKind;
import dev.loomboard.view.Format;
import dev.loomboard.web.PeopleUrls;
import dev.loomboard.web.Urls;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/** A notice as a mail of plain text, from which its reader can decide what to do. */
final class NoticeMail {

    /** In full; the page has all. */
    static final int MOST_CHANGES = 20;

    private final ToldNotice notice;
    private final ToldBuild what;
    private final String site;
    private final String unsubscribe;
    private final List<String> lines = new ArrayList<>();

    private NoticeMail(ToldNotice notice, String site, String unsubscribe) {
        this.notice = notice;
        this.what = notice.what();
        this.site = site;
        this.unsubscribe = unsubscribe;
    }

    /**
     * @param site scheme, host and port
     * @param unsubscribe address of the page that ends such mails to this person
     */
    static Mail of(ToldNotice notice, String to, String site, String unsubscribe) {
        NoticeMail mail = new NoticeMail(notice, site, unsubscribe);
        return new Mail(
                to,
                "[" + notice.workspace() + "] " + Markdown.line(notice.what().title()),
                mail.text(),
                headers(unsubscribe));
    }

    /** One click in the reader's program ends such mails (RFC 8058); programs that answer mails by themselves do not answer (RFC 3834). */
    static Map<String, String> headers(String unsubscribe) {
        return Map.of(
                "List-Unsubscribe", "<" + unsubscribe + ">",
                "List-Unsubscribe-Post", "List-Unsubscribe=One-Click",
                "Auto-Submitted", "auto-generated");
    }

    private String text() {
        line(what.headline(UnaryOperator.identity()) + ".");
        line("");
        facts();
        for (int i = 0; i < Math.min(MOST_CHANGES, what.changes().size()); i++) {
            change(i + 1, what.changes().get(i));
        }
        if (what.changes().size() > MOST_CHANGES) {
            line("And " + Format.of(what.changes().size() - (long) MOST_CHANGES, "change") + " more: " + all());
            line("");
        }
        if (!what.pointsTo().isEmpty()) {
            line("What it points to");
            what.pointsTo().forEach(sentence -> line("- " + sentence));
            line("");
        }
        line("What you can do");
        next().forEach(sentence -> line("- " + sentence));
        line("");
        why();
        return lines.stream().map(Markdown::line).collect(Collectors.joining("\n", "", "\n"));
    }

    private void facts() {
        line("Build:          " + ToldBuild.full(what.build()));
        what.baselines().forEach(good -> line("Compared with:  " + ToldBuild.full(good)));
        line("Measured on:    " + String.join(", ", what.machines())
                + (what.machineClass().isBlank() ? "" : " (machine class " + what.machineClass() + ")"));
        line("Workspace:      " + notice.workspaceName());
        line("Confirmed:      " + what.count());
        line("");
    }

    private void change(int number, ToldChange change) {
        line(number + ". " + change.cell().words(what.machines().size() > 1));
        line("   " + change.metric() + ": " + change.found());
        if (!change.levels().isEmpty()) {
            line("   History: " + change.levels());
        }
        if (what.baselines().size() > 1) {
            line("   Compared with " + change.good().words());
        }
        line("   How sure: " + change.sure());
        change.doubts().forEach(doubt -> line("   Note: " + doubt));
        if (change.evidence() != null) {
            line("   Evidence (run): " + site + change.evidence());
        }
        if (change.page() != null) {
            line("   This change: " + site + change.page());
        }
        line("");
    }

    private List<String> next() {
        List<String> next = new ArrayList<>();
        boolean pages = what.changes().stream().anyMatch(change -> change.page() != null);
        next.add("See all that is known of this build: " + all());
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

    private void why() {
        line("You get this mail because you belong to the workspace " + notice.workspaceName()
                + ", and mails of what is " + what.kind().choice() + " are on for you.");
        line("It is the only one of this build: what is confirmed within a day after it is on its page.");
        line("Choose your mails: " + site + PeopleUrls.mails());
        line("No more mails of this workspace: " + unsubscribe);
    }

    private String all() {
        return site + Urls.regressionsOn(what.build().slug());
    }

    private void line(String text) {
        lines.add(text);
    }
}
