package dev.loomboard.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.cron.FireTime;
import dev.loomboard.notice.NoticeKind;
import dev.loomboard.outbox.IssueText;
import dev.loomboard.outbox.ToldAlarm;
import dev.loomboard.outbox.ToldNotice;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.Test;

/** An alarm in each form that webhooks have. */
final class AlarmBodyTest {

    private static final String SITE = "https://loomboard.example.org";
    private static final Instant SINCE = Instant.parse("2026-11-21T13:00:00Z");

    private static final ToldAlarm ALARM = new ToldAlarm(
            NoticeKind.NIGHT_MISSED,
            "<!channel> & @octocat",
            FireTime.of(SINCE, ZoneOffset.UTC),
            List.of(new ToldAlarm.Fact("Machine", "Bench 1")),
            List.of(
                    new ToldAlarm.Event("Sun: made a run, which is failed", "/runs/run_x"),
                    new ToldAlarm.Event("Sat: made no run. [x](y)", null)),
            List.of("Look."),
            "/w/main/schedules/nightly",
            true);
    static final ToldNotice NOTICE = new ToldNotice("ntc_x", SINCE.plusSeconds(60), "main", "Main", ALARM);

    @Test
    void json_has_its_kind_times_and_addresses() {
        WebhookBody body = WebhookBody.of(NOTICE, SITE);
        assertThat(body.type()).isEqualTo(WebhookBody.Type.ALARM);
        assertThat(body.data()).isInstanceOfSatisfying(WebhookBody.Alarm.class, data -> {
            assertThat(data.kind()).isEqualTo(NoticeKind.NIGHT_MISSED);
            assertThat(data.since()).isEqualTo(SINCE);
            assertThat(data.url()).isEqualTo(SITE + "/w/main/schedules/nightly");
            assertThat(data.text()).endsWith("has had no result since Sat 2026-11-21 13:00 +00:00.");
            assertThat(data.happened())
                    .containsExactly(
                            new WebhookBody.Event("Sun: made a run, which is failed", SITE + "/runs/run_x"),
                            new WebhookBody.Event("Sat: made no run. [x](y)", null));
        });
    }

    @Test
    void slack_calls_nobody_and_leads_to_the_pages() {
        assertThat(SlackText.of(NOTICE, SITE).text())
                .startsWith("*&lt;!channel&gt; &amp; @octocat has had no result since Sat 2026-11-21 13:00")
                .contains("in the workspace Main", "<" + SITE + "/runs/run_x|page>")
                .endsWith("<" + SITE + "/w/main/schedules/nightly|Its page>");
    }

    @Test
    void issue_has_names_as_code_and_no_mark_up_of_others() {
        IssueText issue = IssueText.of(ALARM, SITE);
        assertThat(issue.title()).startsWith("<!channel> & @octocat has had no result since");
        assertThat(issue.body())
                .startsWith("`<!channel> & @octocat` has had no result since")
                .contains(
                        "- Machine: `Bench 1`",
                        "- [Sun: made a run, which is failed](" + SITE + "/runs/run_x)",
                        "- Sat: made no run. \\[x\\](y)",
                        "[Its page](" + SITE + "/w/main/schedules/nightly)");
    }
}
