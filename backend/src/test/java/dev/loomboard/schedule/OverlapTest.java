package dev.loomboard.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.kit.OneAtATime;
import dev.loomboard.kit.Service;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;

/** Firings while an earlier run is open, and runs that take too long. */
@OneAtATime
final class OverlapTest {

    private final Service service = Service.shared();
    private final FiringService firings = service.bean(FiringService.class);
    private final ScheduleRows rows = new ScheduleRows(service, "public");

    /** Tomorrow: nobody but the test fires for it, however long the test takes. */
    private final Instant due = Instant.now().truncatedTo(ChronoUnit.MINUTES).plus(Duration.ofDays(1));

    @Test
    void firing_is_skipped_while_an_earlier_run_is_open_unless_the_schedule_says_otherwise() {
        String id = rows.schedule("0 * * * * ?", "UTC", due);
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
        String id = rows.schedule("0 * * * * ?", "UTC", due);
        overlap(id, "stop");
        minute(id, 10);
        String before = rows.text("select external_id from run where created_by = '" + id + "'");
        start(id, "10 minutes");
        List<Firing> all = Flux.range(0, 8)
                .flatMap(i -> firings.fire(id, due.plusSeconds(11 * 60)))
                .collectList()
                .block(ScheduleRows.TIMEOUT);
        assertThat(all).filteredOn(f -> f instanceof Firing.Queued).hasSize(1);
        assertThat(rows.reason(id)).isEqualTo("Stopped " + before + ", which was still open.");
        assertThat(rows.text("select stop_kind || ' ' || state || ' ' || (cancel_requested_at is not null) from run"
                        + " where external_id = '" + before + "'"))
                .isEqualTo("overlap running true");
        assertThat(rows.number(
                        "select count(*) from audit_event where action = 'run.cancel' and subject = '" + before + "'"))
                .isEqualTo(1);
        assertThat(rows.runs(id)).isEqualTo(2);
        minute(id, 12);
        assertThat(rows.text("select string_agg(state, ' ' order by run_id) from run where created_by = '" + id + "'"))
                .as("a queued one ends at once, one that is being stopped is not stopped again")
                .isEqualTo("running cancelled queued");
    }

    @Test
    void firing_that_can_make_no_run_stops_none() {
        String id = rows.schedule("0 * * * * ?", "UTC", due, "25");
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
        String id = rows.schedule("0 * * * * ?", "UTC", due);
        rows.execute("update schedule set most_hours = 8 where external_id = '" + id + "'");
        minute(id, 10);
        start(id, "7 hours");
        longRuns.stop().block(ScheduleRows.TIMEOUT);
        assertThat(stopped(id)).isZero();
        rows.execute(
                "update run set state = 'disconnected', started_at = now() - interval '8 hours' where created_by = '"
                        + id + "'");
        longRuns.stop().block(ScheduleRows.TIMEOUT);
        assertThat(stopped(id)).as("its machine is away").isZero();
        rows.execute("update schedule set most_hours = null where external_id = '" + id + "'");
        rows.execute("update run set state = 'running' where created_by = '" + id + "'");
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
        String id = rows.schedule("0 * * * * ?", "UTC", due);
        rows.execute("update schedule set only_new = true where external_id = '" + id + "'");
        minute(id, 10);
        rows.execute(
                "update run set state = 'cancelled', finished_at = now(), stop_kind = 'duration', stop_reason = 'x'"
                        + " where created_by = '" + id + "'");
        assertThat(minute(id, 11)).as("it came to nothing").isInstanceOf(Firing.Queued.class);
        rows.execute(
                "update run set state = 'cancelled', finished_at = now(), stop_kind = 'duration', stop_reason = 'x'"
                        + " where created_by = '" + id + "'");
        rows.endTrials(id);
        assertThat(minute(id, 12)).isInstanceOf(Firing.Skipped.class);
        assertThat(rows.reason(id)).startsWith("Nothing new: ");
    }

    private Firing minute(String id, int minutes) {
        Firing firing = firings.fire(id, due.plusSeconds(minutes * 60L)).block(ScheduleRows.TIMEOUT);
        return Objects.requireNonNull(firing);
    }

    private void overlap(String id, String what) {
        rows.execute("update schedule set overlap = '" + what + "' where external_id = '" + id + "'");
    }

    /** As if an agent had begun its runs so long ago. */
    private void start(String id, String ago) {
        rows.execute(
                "update run set state = 'running', fencing = 1, attempts = 1, lease_expires_at = now() + interval '1 day',"
                        + " started_at = now() - interval '" + ago + "' where created_by = '" + id + "'");
    }

    private long stopped(String id) {
        return rows.number("select count(*) from run where cancel_requested_at is not null and stop_kind = 'duration'"
                + " and created_by = '" + id + "'");
    }
}
