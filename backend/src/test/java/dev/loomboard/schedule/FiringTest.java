package dev.loomboard.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.cron.CronService;
import dev.loomboard.kit.OneAtATime;
import dev.loomboard.kit.Service;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;

/** Firing by the real services on a real database; who calls them is the test. Quartz is in {@link QuartzTest}. */
@OneAtATime
final class FiringTest {

    private final Service service = Service.shared();
    private final FiringService firings = service.bean(FiringService.class);
    private final ReconcileService reconcile = service.bean(ReconcileService.class);
    private final ScheduleRows rows = new ScheduleRows(service, "public");

    /** A daily time, tomorrow's: nobody but the test fires for it, however long the test takes. */
    private final ZonedDateTime due =
            ZonedDateTime.now(ZoneOffset.UTC).truncatedTo(ChronoUnit.SECONDS).plusDays(1);

    @Test
    void firing_makes_one_run_however_many_fire_it() {
        String id = rows.schedule(daily(), "UTC", due.toInstant().minusSeconds(60));
        List<Firing> all = Flux.range(0, 8)
                .flatMap(i -> firings.fire(id, due.toInstant()))
                .collectList()
                .block(ScheduleRows.TIMEOUT);
        assertThat(all).hasSize(8);
        assertThat(all).filteredOn(f -> f instanceof Firing.Queued).hasSize(1);
        assertThat(all).filteredOn(f -> f instanceof Firing.NotDue).hasSize(7);
        assertThat(rows.runs(id)).isEqualTo(1);
        assertThat(rows.firings(id, "queued")).isEqualTo(1);
        assertThat(rows.lastQueued(id)).isEqualTo(due.toInstant());
        assertThat(rows.audited("schedule.fire", id)).isTrue();
    }

    @Test
    void firing_that_fails_leaves_nothing_and_can_be_repeated() {
        String id = rows.schedule(daily(), "UTC", due.toInstant().minusSeconds(60));
        // The last thing that a firing writes is refused, as if the service died just before it.
        rows.execute("alter table schedule_firing add constraint test_refusal check (schedule_id <> "
                + rows.number("select schedule_id from schedule where external_id = '" + id + "'") + ") not valid");
        try {
            assertThat(firings.fire(id, due.toInstant()).materialize().block(ScheduleRows.TIMEOUT))
                    .matches(signal -> signal.isOnError());
            assertThat(rows.runs(id)).isZero();
        } finally {
            rows.execute("alter table schedule_firing drop constraint test_refusal");
        }
        assertThat(fire(id)).isInstanceOf(Firing.Queued.class);
        assertThat(rows.runs(id)).isEqualTo(1);
    }

    @Test
    void firing_is_skipped_while_an_earlier_run_is_queued() {
        String id = rows.schedule("0 * * * * ?", "UTC", due.toInstant());
        Instant first = due.toInstant().plusSeconds(600);
        assertThat(firings.fire(id, first).block(ScheduleRows.TIMEOUT)).isInstanceOf(Firing.Queued.class);
        assertThat(firings.fire(id, first.plusSeconds(60)).block(ScheduleRows.TIMEOUT))
                .isInstanceOf(Firing.Skipped.class);
        assertThat(rows.reason(id)).contains("still queued");
        rows.endRuns(id);
        assertThat(firings.fire(id, first.plusSeconds(120)).block(ScheduleRows.TIMEOUT))
                .isInstanceOf(Firing.Queued.class);
        assertThat(rows.runs(id)).isEqualTo(2);
    }

    @Test
    void firing_is_skipped_while_an_earlier_run_is_open_unless_the_schedule_says_otherwise() {
        String id = rows.schedule("0 * * * * ?", "UTC", due.toInstant());
        assertThat(minute(id, 10)).isInstanceOf(Firing.Queued.class);
        start(id, "10 minutes");
        assertThat(minute(id, 11)).isInstanceOf(Firing.Skipped.class);
        assertThat(rows.reason(id)).contains("An earlier run of this schedule, run_", "is still running since");
        assertThat(rows.number("select count(*) from schedule_firing join schedule using (schedule_id)"
                        + " where skip_kind = 'overlap' and external_id = '" + id + "'"))
                .isEqualTo(1);
        overlap(id, "queue");
        assertThat(minute(id, 12)).isInstanceOf(Firing.Queued.class);
        assertThat(minute(id, 13)).isInstanceOf(Firing.Skipped.class);
        assertThat(rows.reason(id)).contains("is still queued since");
    }

    @Test
    void firing_stops_the_run_before_once_however_many_fire_it() {
        String id = rows.schedule("0 * * * * ?", "UTC", due.toInstant());
        overlap(id, "stop");
        minute(id, 10);
        String before = rows.text("select external_id from run where created_by = '" + id + "'");
        start(id, "10 minutes");
        List<Firing> all = Flux.range(0, 8)
                .flatMap(i -> firings.fire(id, due.toInstant().plusSeconds(11 * 60)))
                .collectList()
                .block(ScheduleRows.TIMEOUT);
        assertThat(all).filteredOn(f -> f instanceof Firing.Queued).hasSize(1);
        assertThat(rows.reason(id)).isEqualTo("Stopped " + before + ", which was still open.");
        assertThat(rows.text("select stop_kind || ' ' || state || ' ' || (cancel_requested_at is not null) from run"
                        + " where external_id = '" + before + "'"))
                .isEqualTo("overlap running true");
        assertThat(rows.number("select count(*) from audit_event where action = 'run.cancel' and subject = '" + before
                        + "'"))
                .isEqualTo(1);
        assertThat(rows.runs(id)).isEqualTo(2);
        minute(id, 12);
        assertThat(rows.text("select string_agg(state, ' ' order by run_id) from run where created_by = '" + id + "'"))
                .as("a queued one ends at once, one that is being stopped is not stopped again")
                .isEqualTo("running cancelled queued");
    }

    @Test
    void firing_that_can_make_no_run_stops_none() {
        String id = rows.schedule("0 * * * * ?", "UTC", due.toInstant(), "25");
        overlap(id, "stop");
        minute(id, 10);
        start(id, "10 minutes");
        rows.execute("update schedule set jdk_selectors = '{99}' where external_id = '" + id + "'");
        assertThat(minute(id, 11)).isInstanceOf(Firing.Skipped.class);
        assertThat(rows.number("select count(*) from run where stop_kind is not null and created_by = '" + id + "'"))
                .isZero();
    }

    @Test
    void run_is_stopped_once_when_it_took_as_long_as_its_schedule_allows() {
        LongRunService longRuns = service.bean(LongRunService.class);
        String id = rows.schedule(daily(), "UTC", due.toInstant().minusSeconds(60));
        rows.execute("update schedule set most_hours = 8 where external_id = '" + id + "'");
        fire(id);
        start(id, "7 hours 59 minutes");
        longRuns.stop().block(ScheduleRows.TIMEOUT);
        assertThat(stopped(id)).isZero();
        start(id, "8 hours");
        rows.execute("update run set state = 'disconnected' where created_by = '" + id + "'");
        longRuns.stop().block(ScheduleRows.TIMEOUT);
        assertThat(stopped(id)).as("its machine is away").isZero();
        rows.execute("update run set state = 'running' where created_by = '" + id + "'");
        rows.execute("update schedule set most_hours = null where external_id = '" + id + "'");
        longRuns.stop().block(ScheduleRows.TIMEOUT);
        assertThat(stopped(id)).as("no maximum").isZero();
        rows.execute("update schedule set most_hours = 8 where external_id = '" + id + "'");
        Flux.range(0, 4).flatMap(replica -> longRuns.stop()).blockLast(ScheduleRows.TIMEOUT);
        assertThat(stopped(id)).isEqualTo(1);
        assertThat(rows.text("select stop_reason from run where created_by = '" + id + "'"))
                .isEqualTo("Stopped after 8 h, as its schedule says");
        assertThat(rows.number("select count(*) from audit_event a join run r on r.external_id = a.subject"
                        + " where a.action = 'run.cancel' and r.created_by = '" + id + "'"))
                .isEqualTo(1);
    }

    @Test
    void run_that_was_stopped_because_it_took_too_long_measured_what_it_came_to() {
        String id = rows.schedule("0 * * * * ?", "UTC", due.toInstant());
        rows.execute("update schedule set only_new = true where external_id = '" + id + "'");
        minute(id, 10);
        rows.execute("update run set state = 'cancelled', finished_at = now(), stop_kind = 'duration', stop_reason = 'x'"
                + " where created_by = '" + id + "'");
        assertThat(minute(id, 11)).as("it came to nothing").isInstanceOf(Firing.Queued.class);
        rows.execute("update run set state = 'cancelled', finished_at = now(), stop_kind = 'duration', stop_reason = 'x'"
                + " where created_by = '" + id + "'");
        rows.endTrials(id);
        assertThat(minute(id, 12)).isInstanceOf(Firing.Skipped.class);
        assertThat(rows.reason(id)).startsWith("Nothing new: ");
    }

    @Test
    void firing_is_skipped_when_nothing_matches_or_the_machine_is_revoked() {
        String unmatched = rows.schedule(daily(), "UTC", due.toInstant().minusSeconds(60), "99");
        assertThat(fire(unmatched)).isInstanceOf(Firing.Skipped.class);
        assertThat(rows.reason(unmatched)).contains("99");
        String revoked = rows.schedule(daily(), "UTC", due.toInstant().minusSeconds(60));
        rows.revoke();
        assertThat(fire(revoked)).isInstanceOf(Firing.Skipped.class);
        assertThat(rows.reason(revoked)).contains("revoked");
        assertThat(rows.runs(unmatched) + rows.runs(revoked)).isZero();
    }

    @Test
    void firing_for_new_builds_only_is_skipped_while_none_is_new() {
        String id = rows.schedule("0 * * * * ?", "UTC", due.toInstant());
        rows.execute("update schedule set only_new = true where external_id = '" + id + "'");
        Instant first = due.toInstant().plusSeconds(600);
        assertThat(firings.fire(id, first).block(ScheduleRows.TIMEOUT)).isInstanceOf(Firing.Queued.class);
        rows.execute("update run set state = 'failed', finished_at = now() where created_by = '" + id + "'");
        assertThat(firings.fire(id, first.plusSeconds(60)).block(ScheduleRows.TIMEOUT))
                .as("a run that failed measured nothing")
                .isInstanceOf(Firing.Queued.class);
        rows.endRuns(id);
        assertThat(firings.fire(id, first.plusSeconds(120)).block(ScheduleRows.TIMEOUT))
                .isInstanceOf(Firing.Skipped.class);
        assertThat(rows.reason(id)).startsWith("Nothing new: temurin-25.0.3-9-" + rows.name + " was measured on ");
        assertThat(rows.runs(id)).isEqualTo(2);
        String newer = rows.build("25.0.4+7", "ga");
        assertThat(firings.fire(id, first.plusSeconds(180)).block(ScheduleRows.TIMEOUT))
                .isInstanceOf(Firing.Queued.class);
        assertThat(rows.builds(id)).contains(newer);
    }

    @Test
    void new_build_is_measured_beside_the_one_before_and_the_control_in_one_run() {
        String id = rows.schedule("0 * * * * ?", "UTC", due.toInstant(), "latest-ea", "previous-ea");
        rows.execute("update schedule set only_new = true where external_id = '" + id + "'");
        String before = rows.build("28-ea+17", "ea");
        rows.build("28-ea+9", "ea");
        Instant first = due.toInstant().plusSeconds(600);
        firings.fire(id, first).block(ScheduleRows.TIMEOUT);
        rows.endRuns(id);
        assertThat(firings.fire(id, first.plusSeconds(60)).block(ScheduleRows.TIMEOUT))
                .isInstanceOf(Firing.Skipped.class);
        assertThat(rows.reason(id)).contains(before, "and so were the other builds.");
        String appeared = rows.build("28-ea+18", "ea");
        firings.fire(id, first.plusSeconds(120)).block(ScheduleRows.TIMEOUT);
        String control = "temurin-25.0.3-9-" + rows.name;
        assertThat(rows.builds(id)).isEqualTo(control + ": " + appeared + " " + before + " " + control);
    }

    @Test
    void paused_changed_or_unknown_schedule_does_not_fire() {
        String paused = rows.schedule(daily(), "UTC", due.toInstant().minusSeconds(60));
        rows.execute("update schedule set state = 'paused' where external_id = '" + paused + "'");
        String changed = rows.schedule(daily(), "UTC", due.toInstant());
        for (String id : List.of(paused, changed, "sch_" + "a".repeat(20))) {
            assertThat(fire(id)).as(id).isInstanceOf(Firing.NotDue.class);
            assertThat(rows.runs(id)).isZero();
        }
    }

    @Test
    void missed_nights_are_made_up_for_once() {
        ZoneId zone = ZoneId.of("Europe/Berlin");
        ZonedDateTime now = ZonedDateTime.now(zone);
        String nightly = "0 0 " + now.plusHours(12).getHour() + " * * ?"; // none is due while this test runs
        String id = rows.schedule(nightly, zone.getId(), now.toInstant().minus(Duration.ofDays(10)));
        reconcile.all().block(ScheduleRows.TIMEOUT);
        reconcile.all().block(ScheduleRows.TIMEOUT);
        assertThat(rows.runs(id)).isEqualTo(1);
        assertThat(rows.firings(id, "queued")).isEqualTo(1);
        assertThat(rows.firings(id, "skipped")).isBetween(8L, 10L); // a clock change may have taken a night
        Instant newest =
                new CronService().latest(nightly, zone, now.toInstant()).orElseThrow();
        assertThat(rows.lastQueued(id)).isEqualTo(newest);
    }

    private Firing fire(String id) {
        Firing firing = firings.fire(id, due.toInstant()).block(ScheduleRows.TIMEOUT);
        return java.util.Objects.requireNonNull(firing);
    }

    private Firing minute(String id, int minutes) {
        Firing firing = firings.fire(id, due.toInstant().plusSeconds(minutes * 60L)).block(ScheduleRows.TIMEOUT);
        return java.util.Objects.requireNonNull(firing);
    }

    private void overlap(String id, String what) {
        rows.execute("update schedule set overlap = '" + what + "' where external_id = '" + id + "'");
    }

    /** As if an agent had begun its runs so long ago. */
    private void start(String id, String ago) {
        rows.execute("update run set state = 'running', fencing = 1, attempts = 1, lease_expires_at = now() + interval '1 day',"
                + " started_at = now() - interval '" + ago + "' where created_by = '" + id + "'");
    }

    private long stopped(String id) {
        return rows.number("select count(*) from run where cancel_requested_at is not null and stop_kind = 'duration'"
                + " and created_by = '" + id + "'");
    }

    private String daily() {
        return due.getSecond() + " " + due.getMinute() + " " + due.getHour() + " * * ?";
    }
}
