package dev.loomboard.webhook;

import dev.loomboard.cell.Jdk;
import dev.loomboard.kernel.WireName;
import dev.loomboard.notice.NoticeKind;
import dev.loomboard.outbox.IssueText;
import dev.loomboard.outbox.ToldAlarm;
import dev.loomboard.outbox.ToldBuild;
import dev.loomboard.outbox.ToldChange;
import dev.loomboard.outbox.ToldNotice;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is sent to a webhook, documented in {@code backend/api/webhooks.md}. What is told of a build is the same whenever it is sent.
 *
 * @param timestamp of what is told, not of the attempt
 */
record WebhookBody(Type type, Instant timestamp, Data data) {

    enum Type implements WireName {
        /** Changes of a JDK build are confirmed. */
        CONFIRMED,
        /** A schedule has no result, or a machine is away. */
        ALARM,
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

    /**
     * @param id of the notice
     * @param url of the page of the schedule or machine
     * @param subject its name
     * @param since when it had its last result, or was last heard of
     * @param text a sentence with both
     * @param happened what came of it since, the newest first
     */
    record Alarm(
            String id,
            NoticeKind kind,
            String workspace,
            String url,
            String subject,
            Instant since,
            String text,
            List<ToldAlarm.Fact> facts,
            List<Event> happened)
            implements Data {}

    /** @param page address of the page that says more; null: there is none */
    record Event(String text, @Nullable String page) {}

    record Test(String workspace, String text) implements Data {}

    static WebhookBody of(ToldNotice notice, String site) {
        return switch (notice.what()) {
            case ToldBuild build -> new WebhookBody(Type.CONFIRMED, notice.told(), confirmed(notice, build, site));
            case ToldAlarm alarm -> new WebhookBody(Type.ALARM, notice.told(), alarm(notice, alarm, site));
        };
    }

    private static Confirmed confirmed(ToldNotice notice, ToldBuild what, String site) {
        return new Confirmed(
                notice.id(),
                what.kind(),
                notice.workspace(),
                site + what.path(),
                what.build(),
                what.baselines(),
                what.machineClass(),
                what.changes().stream().map(change -> change(change, site)).toList(),
                what.pointsTo());
    }

    private static Alarm alarm(ToldNotice notice, ToldAlarm what, String site) {
        return new Alarm(
                notice.id(),
                what.kind(),
                notice.workspace(),
                site + what.path(),
                what.subject(),
                what.since().at(),
                what.title() + ".",
                what.facts(),
                what.happened().stream()
                        .map(event -> new Event(event.text(), event.path() == null ? null : site + event.path()))
                        .toList());
    }

    static WebhookBody test(String workspace, Instant asked) {
        return new WebhookBody(Type.TEST, asked, new Test(workspace, testText(workspace)));
    }

    static IssueText issueOfTest(String workspace) {
        return IssueText.ofOurs("Test message", testText(workspace));
    }

    static String testText(String workspace) {
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
}
