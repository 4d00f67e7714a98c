package dev.loomboard.webhook;

import dev.loomboard.cell.Jdk;
import dev.loomboard.kernel.WireName;
import dev.loomboard.notice.NoticeKind;
import dev.loomboard.outbox.IssueText;
import dev.loomboard.outbox.ToldBuild;
import dev.loomboard.outbox.ToldChange;
import dev.loomboard.outbox.ToldNotice;
import dev.loomboard.view.Format;
import dev.loomboard.web.Urls;
import java.time.Instant;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What is sent to a webhook, documented in {@code backend/api/webhooks.md}. It is the same whenever it is sent.
 *
 * @param timestamp of what is told, not of the attempt
 */
record WebhookBody(Type type, Instant timestamp, Data data) {

    enum Type implements WireName {
        /** Changes of a JDK build are confirmed. */
        CONFIRMED,
        /** An owner asks whether messages arrive. */
        TEST
    }

    sealed interface Data {}

    /**
     * @param id of the notice
     * @param url of the page with all that is known of the build
     * @param comparedWith builds before it
     * @param machineClass in words; empty: not known
     * @param pointsTo sentences on the cause
     */
    record Confirmed(
            String id,
            NoticeKind kind,
            String workspace,
            String url,
            Jdk build,
            List<Jdk> comparedWith,
            String machineClass,
            List<Change> changes,
            List<String> pointsTo)
            implements Data {}

    /**
     * @param found verdict with effect and 95 % interval, in words
     * @param effect ratio, new ÷ before; null: not known
     * @param evidence address of the run that confirmed it
     * @param page address of the change
     */
    record Change(
            String server,
            String variant,
            String scenario,
            String load,
            String collector,
            String machine,
            String metric,
            String comparedWith,
            String found,
            @Nullable Double effect,
            String levels,
            String sure,
            List<String> doubts,
            @Nullable String evidence,
            @Nullable String page) {}

    record Test(String workspace, String text) implements Data {}

    /** The form of Slack, and of what understands it. */
    record Text(String text) {}

    private static final int MOST_IN_TEXT = 10;

    static WebhookBody of(ToldNotice notice, String site) {
        ToldBuild what = notice.what();
        return new WebhookBody(
                Type.CONFIRMED,
                notice.told(),
                new Confirmed(
                        notice.id(),
                        what.kind(),
                        notice.workspace(),
                        site + Urls.regressionsOn(what.build().slug()),
                        what.build(),
                        what.baselines(),
                        what.machineClass(),
                        what.changes().stream()
                                .map(change -> change(change, site))
                                .toList(),
                        what.pointsTo()));
    }

    static WebhookBody test(String workspace, Instant asked) {
        return new WebhookBody(Type.TEST, asked, new Test(workspace, testText(workspace)));
    }

    static Text text(ToldNotice notice, String site) {
        ToldBuild what = notice.what();
        String all = site + Urls.regressionsOn(what.build().slug());
        return new Text(what.changes().stream()
                .limit(MOST_IN_TEXT)
                .map(change -> "\n• " + line(change, site))
                .collect(Collectors.joining(
                        "",
                        "*" + escaped(what.headline(UnaryOperator.identity())) + "*: "
                                + Format.of(what.changes().size(), "change") + " confirmed in the workspace "
                                + escaped(notice.workspaceName()),
                        "\n<" + all + "|All that is known of this build>")));
    }

    static Text textOfTest(String workspace) {
        return new Text(escaped(testText(workspace)));
    }

    static IssueText issueOfTest(String workspace) {
        return IssueText.ofOurs("Test message", testText(workspace));
    }

    private static String testText(String workspace) {
        return "This is the test message that an owner of the workspace " + workspace + " asked for.";
    }

    private static Change change(ToldChange change, String site) {
        ToldChange.Cell cell = change.cell();
        return new Change(
                cell.server(),
                cell.variant(),
                cell.scenario(),
                cell.load(),
                cell.collector(),
                cell.machine(),
                change.metric(),
                change.good().slug(),
                change.found(),
                change.effect(),
                change.levels(),
                change.sure(),
                change.doubts(),
                change.evidence() == null ? null : site + change.evidence(),
                change.page() == null ? null : site + change.page());
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
