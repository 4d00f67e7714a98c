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

    private String daily() {
        return due.getSecond() + " " + due.getMinute() + " " + due.getHour() + " * * ?";
    }
}
