package dev.loomboard.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.kit.Service;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;

/** Firing by the real services on a real database; who calls them is the test. Quartz is in {@link QuartzTest}. */
final class FiringTest {

    private final Service service = Service.shared();
    private final FiringService firings = service.bean(FiringService.class);
    private final ReconcileService reconcile = service.bean(ReconcileService.class);
    private final ScheduleRows rows = new ScheduleRows(service, "public");

    /** A daily time a moment ago: too young to be made up for by the service's own reconciliation. */
    private final ZonedDateTime justNow =
            ZonedDateTime.now(ZoneOffset.UTC).truncatedTo(ChronoUnit.SECONDS).minusSeconds(1);

    @Test
    void firing_makes_one_run_however_many_fire_it() {
        String id = rows.schedule(daily(), "UTC", justNow.toInstant().minusSeconds(60));
        List<Firing> all = Flux.range(0, 8)
                .flatMap(i -> firings.fire(id, justNow.toInstant()))
                .collectList()
                .block(ScheduleRows.TIMEOUT);
        assertThat(all).hasSize(8);
        assertThat(all).filteredOn(f -> f instanceof Firing.Queued).hasSize(1);
        assertThat(all).filteredOn(f -> f instanceof Firing.NotDue).hasSize(7);
        assertThat(rows.runs(id)).isEqualTo(1);
        assertThat(rows.firings(id, "queued")).isEqualTo(1);
        assertThat(rows.lastQueued(id)).isEqualTo(justNow.toInstant());
        assertThat(rows.audited("schedule.fire", id)).isTrue();
    }

    @Test
    void firing_that_fails_leaves_nothing_and_can_be_repeated() {
        String id = rows.schedule(daily(), "UTC", justNow.toInstant().minusSeconds(60));
        // The last thing that a firing writes is refused, as if the service died just before it.
        rows.execute("alter table schedule_firing add constraint test_refusal check (schedule_id <> "
                + rows.number("select schedule_id from schedule where external_id = '" + id + "'") + ") not valid");
        try {
            assertThat(firings.fire(id, justNow.toInstant()).materialize().block(ScheduleRows.TIMEOUT))
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
        String id = rows.schedule("0 * * * * ?", "UTC", Instant.parse("2026-01-01T00:00:00Z"));
        Instant first = Instant.parse("2026-01-01T00:10:00Z");
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
        String unmatched = rows.schedule(daily(), "UTC", justNow.toInstant().minusSeconds(60), "99");
        assertThat(fire(unmatched)).isInstanceOf(Firing.Skipped.class);
        assertThat(rows.reason(unmatched)).contains("99");
        String revoked = rows.schedule(daily(), "UTC", justNow.toInstant().minusSeconds(60));
        rows.revoke();
        assertThat(fire(revoked)).isInstanceOf(Firing.Skipped.class);
        assertThat(rows.reason(revoked)).contains("revoked");
        assertThat(rows.runs(unmatched) + rows.runs(revoked)).isZero();
    }

    @Test
    void paused_changed_or_unknown_schedule_does_not_fire() {
        String paused = rows.schedule(daily(), "UTC", justNow.toInstant().minusSeconds(60));
        rows.execute("update schedule set state = 'paused' where external_id = '" + paused + "'");
        String changed = rows.schedule(daily(), "UTC", justNow.toInstant());
        for (String id : List.of(paused, changed, "sch_" + "a".repeat(20))) {
            assertThat(fire(id)).as(id).isInstanceOf(Firing.NotDue.class);
            assertThat(rows.runs(id)).isZero();
        }
    }

    @Test
    void missed_nights_are_made_up_for_once() {
        Instant since = Instant.now().minus(Duration.ofDays(10));
        String id = rows.schedule("0 0 2 * * ?", "Europe/Berlin", since);
        reconcile.all().block(ScheduleRows.TIMEOUT);
        reconcile.all().block(ScheduleRows.TIMEOUT);
        assertThat(rows.runs(id)).isEqualTo(1);
        assertThat(rows.firings(id, "queued")).isEqualTo(1);
        assertThat(rows.firings(id, "skipped")).isBetween(8L, 10L); // a clock change may have taken a night
        Instant newest = new CronService()
                .latest("0 0 2 * * ?", java.time.ZoneId.of("Europe/Berlin"), Instant.now())
                .orElseThrow();
        assertThat(rows.lastQueued(id)).isEqualTo(newest);
    }

    private Firing fire(String id) {
        Firing firing = firings.fire(id, justNow.toInstant()).block(ScheduleRows.TIMEOUT);
        return java.util.Objects.requireNonNull(firing);
    }

    private String daily() {
        return justNow.getSecond() + " " + justNow.getMinute() + " " + justNow.getHour() + " * * ?";
    }
}
