package dev.loomboard.retention;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.loomboard.kit.StoreTest;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;

/** Messages that are over go, and no others. */
final class MessageRetentionTest extends StoreTest {

    private static final Instant NOW = Instant.parse("2027-06-01T03:40:00Z");

    @Test
    void fewer_days_than_none_are_refused() {
        assertThatThrownBy(() -> retention(-1)).hasMessageContaining("LOOMBOARD_MESSAGE_DAYS must be 0");
    }

    @Test
    void messages_that_were_sent_or_given_up_long_ago_go_in_steps_and_others_stay() {
        messages("sent-old", "sent", 91, MessageRetentionService.TOGETHER + 5);
        messages("dead-old", "dead", 91, 3);
        messages("sent-young", "sent", 89, 1);
        messages("dead-young", "dead", 89, 1);
        messages("waiting", "waiting", 200, 1);
        messages("failed", "failed", 200, 1);
        messages("sending", "sending", 200, 1);
        assertThat(await(retention(0).removeOld())).as("for ever").isZero();
        assertThat(await(new MessageRetentionStore(database).removeSome(NOW, 2)))
                .as("a step is bounded")
                .isEqualTo(2);
        assertThat(await(retention(90).removeOld())).isEqualTo(MessageRetentionService.TOGETHER + 5 + 3 - 2);
        assertThat(await(database.sql("select string_agg(recipient, ' ' order by recipient) from outbox")
                        .map(row -> String.valueOf(row.get(0, String.class)))
                        .one()))
                .isEqualTo("dead-young failed sending sent-young waiting");
        assertThat(await(retention(90).removeOld())).as("again").isZero();
    }

    @Test
    void old_messages_are_found_by_an_index() {
        assertThat(plan(MessageRetentionStore.REMOVE.replace(":before", "now()").replace(":most", "10")))
                .anyMatch(line -> line.contains("outbox_over_ix"));
    }

    private MessageRetentionService retention(int days) {
        return new MessageRetentionService(new MessageRetentionStore(database), Clock.fixed(NOW, ZoneOffset.UTC), days);
    }

    private void messages(String recipient, String state, int days, int number) {
        execute("""
                insert into outbox (workspace_id, channel, recipient, state, created_at, next_try_at, sent_at, lease_until)
                select w.workspace_id, 'mail', '%1$s', '%2$s', t.at, t.at, case when '%2$s' = 'sent' then t.at end,
                       case when '%2$s' = 'sending' then t.at end
                  from workspace w, generate_series(1, %4$d), (select timestamptz '%5$s' - interval '%3$d days' as at) t
                 where w.slug = 'main'
                """.formatted(recipient, state, days, number, NOW));
    }
}
