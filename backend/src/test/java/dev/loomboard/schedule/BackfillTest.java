package dev.loomboard.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.kernel.Caller;
import dev.loomboard.kit.OneAtATime;
import dev.loomboard.kit.Service;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;

/** Builds that appeared while nobody fired. */
@OneAtATime
final class BackfillTest {

    private final Service service = Service.shared();
    private final FiringService firings = service.bean(FiringService.class);
    private final ScheduleRows rows = new ScheduleRows(service, "public");

    /** Tomorrow: nobody but the test fires for it, however long the test takes. */
    private final Instant due = Instant.now().truncatedTo(ChronoUnit.MINUTES).plus(Duration.ofDays(1));

    @Test
    void missed_builds_are_measured_oldest_first_one_a_firing_beside_the_one_before_and_the_control() {
        String id = rows.schedule("0 * * * * ?", "UTC", due, "latest-ea", "previous-ea");
        rows.execute("update schedule set backfill = 5, only_new = true where external_id = '" + id + "'");
        String control = "temurin-25.0.3-9-" + rows.name;
        List<String> builds = new ArrayList<>(List.of(rows.build("28-ea+9", "ea"), rows.build("28-ea+10", "ea")));
        minute(id, 10);
        assertThat(rows.builds(id)).as("it has no history").contains(builds.get(1) + " " + builds.get(0));
        rows.endRuns(id);
        for (int number = 11; number <= 14; number++) {
            builds.add(rows.build("28-ea+" + number, "ea"));
        }
        Flux.range(0, 4)
                .flatMap(replica -> firings.fire(id, due.plusSeconds(11 * 60)))
                .blockLast(ScheduleRows.TIMEOUT);
        assertThat(rows.runs(id)).isEqualTo(2);
        for (int next = 2; next < 5; next++) {
            assertThat(rows.builds(id))
                    .isEqualTo(control + ": " + builds.get(next) + " " + builds.get(next - 1) + " " + control);
            assertThat(backfilled(id)).isEqualTo(builds.get(next));
            rows.endRuns(id);
            minute(id, 10 + next);
        }
        assertThat(rows.builds(id)).as("none is missed any more").contains(builds.get(5) + " " + builds.get(4));
        assertThat(backfilled(id)).isEqualTo("none");
        rows.endRuns(id);
        assertThat(minute(id, 15)).isInstanceOf(Firing.Skipped.class);
    }

    @Test
    void no_more_missed_builds_are_measured_than_the_schedule_says_and_none_twice() {
        String id = rows.schedule("0 * * * * ?", "UTC", due, "latest-ea");
        rows.build("28-ea+10", "ea");
        minute(id, 10);
        rows.endRuns(id);
        String unwanted = rows.build("28-ea+11", "ea");
        String missed = rows.build("28-ea+12", "ea");
        String newest = rows.build("28-ea+13", "ea");
        minute(id, 11);
        assertThat(rows.builds(id)).as("it is off").contains(newest).doesNotContain(missed);
        rows.execute("update run set state = 'failed', finished_at = now() where state = 'queued' and created_by = '"
                + id + "'");
        rows.execute("update schedule set backfill = 1 where external_id = '" + id + "'");
        assertThat(firings.runNow(id, new Caller.Anonymous()).block(ScheduleRows.TIMEOUT))
                .isInstanceOf(Firing.Queued.class);
        rows.execute("update run set state = 'failed', finished_at = now() where state = 'queued' and schedule_id ="
                + " (select schedule_id from schedule where external_id = '" + id + "')");
        minute(id, 12);
        assertThat(rows.builds(id)).contains(missed + " " + unwanted).doesNotContain(newest);
        rows.execute("update run set state = 'failed', finished_at = now() where state = 'queued' and created_by = '"
                + id + "'");
        minute(id, 13);
        assertThat(rows.builds(id))
                .as("a build that fails is not tried for ever")
                .contains(newest);
    }

    private Firing minute(String id, int minutes) {
        Firing firing = firings.fire(id, due.plusSeconds(minutes * 60L)).block(ScheduleRows.TIMEOUT);
        return Objects.requireNonNull(firing);
    }

    private String backfilled(String id) {
        return rows.text("select coalesce(j.slug, 'none') from schedule_firing f join schedule s using (schedule_id)"
                + " left join jdk_build j on j.jdk_build_id = f.backfill_build_id where s.external_id = '" + id
                + "' order by f.fire_at desc limit 1");
    }
}
