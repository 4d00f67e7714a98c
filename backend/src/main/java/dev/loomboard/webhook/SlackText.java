package dev.loomboard.webhook;

import dev.loomboard.outbox.ToldAlarm;
import dev.loomboard.outbox.ToldBuild;
import dev.loomboard.outbox.ToldChange;
import dev.loomboard.outbox.ToldNotice;
import dev.loomboard.view.Format;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/** What is sent in the form of Slack, and of what understands it. */
record SlackText(String text) {

    private static final int MOST = 10;

    static SlackText of(ToldNotice notice, String site) {
        return new SlackText(
                switch (notice.what()) {
                    case ToldBuild build -> text(notice, build, site);
                    case ToldAlarm alarm -> text(notice, alarm, site);
                });
    }

    private static String text(ToldNotice notice, ToldBuild what, String site) {
        return what.changes().stream()
                .limit(MOST)
                .map(change -> "\n• " + line(change, site))
                .collect(Collectors.joining(
                        "",
                        "*" + escaped(what.headline(UnaryOperator.identity())) + "*: "
                                + Format.of(what.changes().size(), "change") + " confirmed in the workspace "
                                + escaped(notice.workspaceName()),
                        "\n<" + site + what.path() + "|All that is known of this build>"));
    }

    private static String text(ToldNotice notice, ToldAlarm what, String site) {
        return what.happened().stream()
                .limit(MOST)
                .map(event -> "\n• " + escaped(event.text())
                        + (event.path() == null ? "" : " <" + site + event.path() + "|page>"))
                .collect(Collectors.joining(
                        "",
                        "*" + escaped(what.title()) + "*, in the workspace " + escaped(notice.workspaceName()),
                        "\n<" + site + what.path() + "|Its page>"));
    }

    static SlackText ofTest(String workspace) {
        return new SlackText(escaped(WebhookBody.testText(workspace)));
    }

    private static String line(ToldChange change, String site) {
        ToldChange.Cell cell = change.cell();
        String path = change.page() == null ? change.evidence() : change.page();
        return escaped(String.join(", ", cell.server() + " " + cell.variant(), cell.scenario(), cell.machine()) + ": "
                        + change.metric() + " " + change.found())
                + (path == null ? "" : " <" + site + path + "|evidence>");
    }

    /** Names come from machines and people: no mark-up, and no word that calls all of a channel. */
    private static String escaped(String text) {
        return text.replaceAll("\\p{Cntrl}", " ")
                .replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;");
    }
}
