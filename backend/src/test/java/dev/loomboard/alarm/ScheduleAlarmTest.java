package dev.loomboard.alarm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.kernel.Caller;
import dev.loomboard.kit.OneAtATime;
import dev.loomboard.kit.PausedJobs;
import dev.loomboard.kit.Service;
import dev.loomboard.schedule.FiringService;
import dev.loomboard.schedule.ScheduleId;
import dev.loomboard.schedule.ScheduleRows;
import dev.loomboard.schedule.SkipKind;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;

/** When a schedule has had no result for too long. Its times are so far off that nobody fires it but the test. */
@OneAtATime
final class ScheduleAlarmTest {

    private static final int HOURS = 26;

    private final Service service = Service.shared();
    private final AlarmService alarms = service.bean(AlarmService.class);
    private final ScheduleRows rows = new ScheduleRows(service, "public");
    private final String id =
            rows.schedule("0 0 0 1 1 ? 2099", "UTC", Instant.now().minus(Duration.ofHours(HOURS + 1)));

    ScheduleAlarmTest() {
        set("alarm_hours = " + HOURS);
    }

    /** It is nobody else's alarm. */
    @AfterEach
    void pause() {
        set("state = 'paused'");
    }

    @Test
    void schedule_without_a_result_has_an_alarm_unless_it_is_paused_or_wants_none() {
        assertThat(missing()).isTrue();
        set("state = 'paused'");
        assertThat(missing()).isFalse();
        set("state = 'active', alarm_hours = null");
        assertThat(missing()).isFalse();
        set("alarm_hours = " + (HOURS + 2));
        assertThat(missing()).isFalse();
    }

    @Test
    void result_ends_it_and_a_run_without_one_does_not() {
        run("state = 'done', finished_at = now()");
        assertThat(missing()).as("no trial is done").isTrue();
        rows.endTrials(id);
        assertThat(missing()).isFalse();
        run("finished_at = now() - interval '27 hours'");
        assertThat(missing()).as("it is long ago").isTrue();
        run("state = 'cancelled', finished_at = now()");
        assertThat(missing()).as("somebody cancelled it").isTrue();
        run("stop_kind = 'overlap', stop_reason = 'x'");
        assertThat(missing()).as("the next run was due").isTrue();
        run("stop_kind = 'duration'");
        assertThat(missing()).as("it took as long as it may").isFalse();
    }

    @Test
    void run_under_way_counts_from_its_start() {
        run("state = 'running', started_at = now() - interval '20 hours'");
        assertThat(missing()).isFalse();
        run("started_at = now() - interval '27 hours'");
        assertThat(missing()).isTrue();
        run("state = 'queued', started_at = null");
        assertThat(missing()).as("its machine never took it").isTrue();
    }

    @Test
    void firing_at_which_nothing_was_new_is_no_alarm_whatever_its_words_and_any_other_is() {
        for (SkipKind kind : SkipKind.values()) {
            rows.execute("delete from schedule_firing where schedule_id in (" + key() + ")");
            rows.execute(
                    "insert into schedule_firing (schedule_id, fire_at, outcome, skip_kind, reason) select schedule_id,"
                            + " now(), 'skipped', '" + kind.wire()
                            + "', 'Nothing new: x.' from schedule where external_id = '" + id
                            + "'");
            assertThat(missing()).as(kind.wire()).isEqualTo(kind != SkipKind.NOTHING_NEW);
        }
    }

    @Test
    void alarm_begins_once_by_however_many_replicas_and_again_after_a_result() {
        set("alarm_hours = null");
        try (PausedJobs paused = new PausedJobs(service, "alarms", "outbox")) {
            set("alarm_hours = " + HOURS + ", alarmed_at = null");
            assertThat(begun(8)).isEqualTo(1);
            assertThat(begun(2)).isZero();
            assertThat(notices()).isEqualTo(1);
            run("state = 'done', finished_at = now()");
            rows.endTrials(id);
            assertThat(begun(2)).isZero();
            assertThat(rows.number("select count(*) from schedule where alarmed_at is not null and external_id = '" + id
                            + "'"))
                    .isZero();
            assertThat(notices()).as("it was over before it was told").isZero();
            run("finished_at = now() - interval '27 hours'");
            assertThat(begun(8)).isEqualTo(1);
            assertThat(notices()).isEqualTo(1);
        }
    }

    private long notices() {
        return rows.number("select count(*) from notice where kind = 'night-missed' and schedule_id = (" + key() + ")");
    }

    private boolean missing() {
        ScheduleId key = new ScheduleId(rows.number(key()));
        return Objects.requireNonNull(alarms.of(List.of(key)).block(ScheduleRows.TIMEOUT))
                .containsKey(key);
    }

    private long begun(int replicas) {
        return Objects.requireNonNull(Flux.range(0, replicas)
                .flatMap(replica -> alarms.begin())
                .filter(begun -> begun.id().equals(id))
                .count()
                .block(ScheduleRows.TIMEOUT));
    }

    private String key() {
        return "select schedule_id from schedule where external_id = '" + id + "'";
    }

    private void set(String change) {
        rows.execute("update schedule set " + change + " where external_id = '" + id + "'");
    }

    /** Of its one run, which is queued when there is none yet. */
    private void run(String change) {
        if (rows.runs(id) == 0) {
            service.bean(FiringService.class).runNow(id, new Caller.Anonymous()).block(ScheduleRows.TIMEOUT);
            rows.execute("update run set created_by = '" + id + "' where schedule_id in (" + key() + ")");
        }
        rows.execute("update run set " + change + " where created_by = '" + id + "'");
    }
}
