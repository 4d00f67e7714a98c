package dev.loomboard.alarm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.kit.OneAtATime;
import dev.loomboard.kit.PausedJobs;
import dev.loomboard.kit.Service;
import dev.loomboard.schedule.ScheduleRows;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;

/** When a machine that something waits for is not heard of. Its schedule is so far off that nothing fires. */
@OneAtATime
final class MachineAlarmTest {

    private static final Duration AWAY = Duration.ofHours(1);

    private final Service service = Service.shared();
    private final PausedJobs paused = new PausedJobs(service, "alarms", "outbox");
    private final ScheduleRows rows = new ScheduleRows(service, "public");
    private final String schedule = rows.schedule("0 0 0 1 1 ? 2099", "UTC", Instant.now());
    private final AlarmService alarms = replica(AWAY);

    MachineAlarmTest() {
        watch("now() - interval '61 minutes'", "now()");
        heardOf("now() - interval '2 hours'");
    }

    @AfterEach
    void resume() {
        rows.revoke(); // no alarm of it in other tests
        watch("now()", "now()");
        paused.close();
    }

    @Test
    void alarm_begins_once_by_however_many_replicas_and_again_when_it_was_heard_of() {
        assertThat(begun(8)).isEqualTo(1);
        assertThat(begun(2)).isZero();
        assertThat(notices()).isEqualTo(1);
        heardOf("now()");
        assertThat(begun(2)).isZero();
        assertThat(notices()).as("it was back before anybody was told").isZero();
        heardOf("now() - interval '2 hours'");
        assertThat(begun(8)).isEqualTo(1);
    }

    @Test
    void notice_that_was_told_stays_when_the_machine_is_back() {
        assertThat(begun(1)).isEqualTo(1);
        rows.execute("update notice set told_at = now() where machine_id = (" + key() + ")");
        heardOf("now()");
        begun(1);
        assertThat(notices()).isEqualTo(1);
    }

    @Test
    void machine_that_nothing_waits_for_or_that_is_meant_to_be_away_has_none() {
        set("schedule", "state = 'paused'");
        assertThat(begun(1)).as("nothing waits for it").isZero();
        set("schedule", "state = 'active'");
        set("machine", "draining_since = now()");
        assertThat(begun(1)).as("it drains").isZero();
        set("machine", "draining_since = null, last_seen_at = null");
        assertThat(begun(1)).as("it never came").isZero();
        heardOf("now() - interval '50 minutes'");
        assertThat(begun(1)).as("not for an hour yet").isZero();
        heardOf("now() - interval '2 hours'");
        rows.revoke();
        assertThat(begun(1)).as("it is retired").isZero();
        set("machine", "revoked_at = null");
        assertThat(begun(1)).isEqualTo(1);
    }

    @Test
    void service_that_was_away_itself_says_nothing_for_as_long_and_ends_no_alarm() {
        watch("now() - interval '59 minutes'", "now()");
        assertThat(begun(1)).as("it was there for less than an hour").isZero();
        watch("now() - interval '3 hours'", "now() - interval '6 minutes'");
        assertThat(begun(1)).as("no replica was there a moment ago").isZero();
        watch("now() - interval '61 minutes'", "now() - interval '4 minutes'");
        assertThat(begun(1)).as("one was restarted").isEqualTo(1);
        watch("now()", "now()");
        begun(1);
        assertThat(notices()).as("the machine is away still").isEqualTo(1);
        assertThat(begun(1)).isZero();
    }

    @Test
    void operator_who_wants_none_gets_none() {
        assertThat(begun(replica(Duration.ZERO))).isZero();
    }

    private AlarmService replica(Duration away) {
        return new AlarmService(service.bean(ScheduleAlarmStore.class), service.bean(MachineAlarmStore.class), away);
    }

    private void watch(String since, String looked) {
        rows.execute(
                "insert into alarm_watch (alarm_watch_id, since_at, looked_at) values (1, " + since + ", " + looked
                        + ") on conflict (alarm_watch_id) do update set since_at = excluded.since_at, looked_at = excluded.looked_at");
    }

    private long begun(int replicas) {
        return begun(Flux.range(0, replicas).flatMap(replica -> alarms.begin()));
    }

    private long begun(AlarmService replica) {
        return begun(replica.begin());
    }

    private long begun(Flux<BegunAlarm> all) {
        return Objects.requireNonNull(
                all.filter(begun -> begun.id().equals(rows.machine)).count().block(ScheduleRows.TIMEOUT));
    }

    private void heardOf(String at) {
        set("machine", "last_seen_at = " + at);
    }

    private void set(String table, String change) {
        rows.execute("update " + table + " set " + change + " where external_id = '"
                + (table.equals("machine") ? rows.machine : schedule) + "'");
    }

    private long notices() {
        return rows.number("select count(*) from notice where kind = 'machine-away' and machine_id = (" + key() + ")");
    }

    private String key() {
        return "select machine_id from machine where external_id = '" + rows.machine + "'";
    }
}
