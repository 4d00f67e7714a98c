package dev.loomboard.regression;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.kit.OneAtATime;
import dev.loomboard.kit.Service;
import dev.loomboard.kit.SuspectRows;
import dev.loomboard.stats.change.SequentialRerun;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.scheduler.Schedulers;

/** Suspects become reruns, and reruns answers, on a real database. The service's own job does the same every minute: it may come first. */
@OneAtATime
final class RerunTest {

    private static final Duration TIMEOUT = Duration.ofMinutes(2);
    private static final String CPU = "cpu_us_per_request";
    private static final int FIRST = SequentialRerun.LOOKS.getFirst();

    private final Service service = Service.shared();
    private final RerunService reruns = service.bean(RerunService.class);

    @Test
    void suspects_of_one_night_and_pair_of_builds_become_one_run_however_many_ask() {
        SuspectRows rows = new SuspectRows(service, "public");
        String first = rows.suspect("plain", CPU);
        String same = rows.suspect("plain", "rss_mib");
        String other = rows.suspect("other", CPU);
        Flux.range(0, 8)
                .flatMap(i -> reruns.followUp().subscribeOn(Schedulers.parallel()))
                .then()
                .block(TIMEOUT);
        String run = Objects.requireNonNull(rows.rerun(first));
        assertThat(rows.rerun(same)).isEqualTo(run);
        assertThat(rows.rerun(other)).isEqualTo(run);
        assertThat(runs(rows, "follow_up")).isEqualTo(1);
        assertThat(cells(rows, run))
                .as("two cells on two builds; the third variant is not suspected")
                .isEqualTo(4);
        assertThat(runs(
                        rows,
                        "follow_up and look = 1 and planned_trials = " + 4 * FIRST
                                + " and planned_seconds > planned_trials and run.visibility = 'public' and run.created_by like 'chg_%'"
                                + " and (spec #>> '{trials,scored}')::int = " + FIRST))
                .isEqualTo(1);
        assertThat(rows.number("""
                        select count(*) from comparison v join run r using (run_id) join change_point c on c.rerun_comparison_id = v.comparison_id
                         where r.external_id = :run and v.family_size = 8
                        """, Map.of("run", run)))
                .as("a test for each suspect, of a family of two cells on four metrics")
                .isEqualTo(3);
    }

    @Test
    void rerun_is_reckoned_by_the_phases_of_the_machines_last_trials_of_its_protocol() {
        SuspectRows rows = new SuspectRows(service, "public");
        String first = followed(rows, rows.suspect("plain", CPU));
        assertThat(reckoned(rows, first))
                .as("no trial ran: the most that they may take")
                .isEqualTo(rows.number(
                        "select planned_seconds::bigint from run where external_id = :run", Map.of("run", first)));
        rows.measured(first, 1.2);
        rows.run("""
                update trial t set end_facts = end_facts || jsonb_build_object('phaseSeconds',
                           jsonb_build_object('warmup', case ordinal when 1 then 3600 else 2 end, 'measure', 1))
                  from run r where r.run_id = t.run_id and r.external_id = :run
                """, Map.of("run", first));
        reruns.decide().block(TIMEOUT);
        String second = followed(rows, rows.suspect("other", CPU));
        assertThat(reckoned(rows, second)).as("3 s in the median").isEqualTo(2L * FIRST * 3);
    }

    private static long reckoned(SuspectRows rows, String run) {
        return rows.number("select reckoned_seconds::bigint from run where external_id = :run", Map.of("run", run));
    }

    @Test
    void slower_is_confirmed_and_its_opposite_is_cleared() {
        SuspectRows rows = new SuspectRows(service, "public");
        String worse = rows.suspect("plain", CPU);
        String better = rows.suspect("other", CPU, rows.good, 1.2, 1);
        String run = followed(rows, worse);
        rows.measured(run, 1.2);
        reruns.decide().block(TIMEOUT);
        reruns.decide().block(TIMEOUT);
        assertThat(rows.column(worse, "status")).isEqualTo("confirmed");
        assertThat(rows.column(worse, "confirmed_by")).isEqualTo("rerun");
        assertThat(rows.column(worse, "decided_at")).isNotNull();
        assertThat(rows.column(worse, "rerun_reason")).isEqualTo("the rerun says slower, as suspected");
        assertThat(rows.column(better, "status")).isEqualTo("cleared");
        assertThat(rows.column(better, "rerun_reason")).contains("says slower, not faster as suspected");
        assertThat(rows.column(better, "confirmed_by")).isNull();
    }

    @Test
    void what_stayed_the_same_is_cleared_and_what_history_confirmed_stays() {
        SuspectRows rows = new SuspectRows(service, "public");
        String cleared = rows.suspect("plain", CPU);
        String confirmed = rows.suspect("other", CPU);
        String run = followed(rows, cleared);
        rows.run(
                "update change_point set status = 'confirmed', confirmed_by = 'history', decided_at = now() where external_id = :id",
                Map.of("id", confirmed));
        rows.measured(run, 1);
        reruns.decide().block(TIMEOUT);
        assertThat(rows.column(cleared, "status")).isEqualTo("cleared");
        assertThat(rows.column(cleared, "rerun_reason")).contains("says equivalent, not slower");
        assertThat(rows.column(confirmed, "status")).isEqualTo("confirmed");
        assertThat(rows.column(confirmed, "confirmed_by")).isEqualTo("history");
        assertThat(rows.column(confirmed, "rerun_reason")).contains("says equivalent");
    }

    @Test
    void rerun_that_was_cancelled_decides_nothing_and_is_not_repeated() {
        SuspectRows rows = new SuspectRows(service, "public");
        String suspect = rows.suspect("plain", CPU);
        rows.end(followed(rows, suspect), "cancelled");
        reruns.decide().block(TIMEOUT);
        reruns.followUp().block(TIMEOUT);
        assertThat(rows.column(suspect, "status")).isEqualTo("suspect");
        assertThat(rows.column(suspect, "rerun_reason")).isEqualTo("the rerun gave no verdict: it was cancelled");
        assertThat(runs(rows, "follow_up")).isEqualTo(1);
    }

    /** Trials that vary by half tell nothing of a fifth: look after look is laid out, and what is left undecided stays. */
    @Test
    void blocks_of_all_looks_count_and_what_none_decides_stays_open() {
        SuspectRows rows = new SuspectRows(service, "public");
        String suspect = rows.suspect("plain", CPU);
        String before = null;
        int all = 0;
        for (int blocks : SequentialRerun.LOOKS) {
            assertThat(rows.column(suspect, "status")).isEqualTo("suspect");
            String look = followed(rows, suspect);
            assertThat(look).isNotEqualTo(before);
            rows.scattered(look);
            reruns.decide().block(TIMEOUT);
            assertThat(rows.number("""
                            select v.blocks from change_point c join comparison v on v.comparison_id = c.rerun_comparison_id
                             where c.external_id = :id and v.verdict = 'inconclusive'
                            """, Map.of("id", suspect))).isEqualTo(blocks);
            before = look;
            all++;
        }
        assertThat(rows.column(suspect, "status")).isEqualTo("suspect");
        assertThat(rows.column(suspect, "rerun_reason"))
                .isEqualTo("the rerun is open after 44 blocks: too few for a result, so the change stays open");
        reruns.followUp().block(TIMEOUT);
        assertThat(rows.rerun(suspect)).isEqualTo(before);
        assertThat(runs(rows, "look is not null")).isEqualTo(all);
        assertThat(runs(rows, "follows_run_id is not null")).isEqualTo(all - 1);
    }

    /** The second look is judged with the blocks of the first, and by what both may spend: alone its eight would say nothing else. */
    @Test
    void second_look_decides_with_the_blocks_of_the_first() {
        SuspectRows rows = new SuspectRows(service, "public");
        String suspect = rows.suspect("plain", CPU);
        String first = followed(rows, suspect);
        rows.scattered(first);
        reruns.decide().block(TIMEOUT);
        String second = followed(rows, suspect);
        rows.measured(second, 1);
        reruns.decide().block(TIMEOUT);
        assertThat(rows.column(suspect, "rerun_reason"))
                .as("eight blocks that agree do not hide eight that do not")
                .isEqualTo("the rerun is open after 16 blocks: the next look adds 12 blocks");
        assertThat(rows.number(
                        "select v.look from comparison v join run r using (run_id) where r.external_id = :run and v.metric = 'cpu_us_per_request'",
                        Map.of("run", second)))
                .isEqualTo(2);
    }

    @Test
    void look_that_was_cancelled_has_no_next_one_before_an_owner_asks() {
        SuspectRows rows = new SuspectRows(service, "public");
        String suspect = rows.suspect("plain", CPU);
        String first = followed(rows, suspect);
        rows.scattered(first, 5, "cancelled");
        reruns.decide().block(TIMEOUT);
        assertThat(rows.column(suspect, "rerun_reason"))
                .isEqualTo(
                        "the rerun is open after 5 blocks, cut short (it was cancelled): too few for a result, so the change stays open");
        assertThat(rows.number(
                        "select cut_short_of from comparison v join run r using (run_id) where r.external_id = :run and v.metric = 'cpu_us_per_request'",
                        Map.of("run", first)))
                .isEqualTo(FIRST);
        reruns.followUp().block(TIMEOUT);
        assertThat(rows.rerun(suspect)).isEqualTo(first);
    }

    @Test
    void nothing_is_followed_up_while_the_night_goes_on_or_another_rerun_waits() {
        SuspectRows rows = new SuspectRows(service, "public");
        rows.run("update run set state = 'running' where run_id = :run", Map.of("run", rows.run));
        String early = rows.suspect("plain", CPU);
        reruns.followUp().block(TIMEOUT);
        assertThat(rows.rerun(early)).isNull();
        rows.run("update run set state = 'done' where run_id = :run", Map.of("run", rows.run));
        String run = followed(rows, early);
        String late = rows.suspect("other", CPU);
        reruns.followUp().block(TIMEOUT);
        assertThat(rows.rerun(late)).isNull();
        assertThat(rows.column(late, "rerun_reason")).isNull();
        rows.end(run, "done");
        assertThat(followed(rows, late)).isNotEqualTo(run);
    }

    @Test
    void owners_can_switch_reruns_off_for_a_machine() {
        SuspectRows rows = new SuspectRows(service, "public");
        rows.run("update machine set reruns = false where external_id = :machine", Map.of("machine", rows.machine));
        String suspect = rows.suspect("plain", CPU);
        reruns.followUp().block(TIMEOUT);
        assertThat(rows.rerun(suspect)).isNull();
        assertThat(rows.column(suspect, "rerun_reason"))
                .as("it waits until they are on again")
                .isNull();
        rows.run("update machine set reruns = true where external_id = :machine", Map.of("machine", rows.machine));
        assertThat(followed(rows, suspect)).isNotNull();
    }

    @Test
    void what_cannot_be_rerun_says_why() {
        SuspectRows rows = new SuspectRows(service, "public");
        String unjudged = rows.suspect("plain", "startup_ms");
        String sameBuild = rows.suspect("other", CPU, rows.young, 1, 1.2);
        String gone = rows.suspect("third", CPU);
        for (int i = 0; i < 3; i++) {
            reruns.followUp().block(TIMEOUT);
        }
        assertThat(rows.column(unjudged, "rerun_reason")).contains("this metric has no verdict");
        assertThat(rows.column(sameBuild, "rerun_reason")).contains("measured on one build");
        assertThat(rows.column(gone, "rerun_reason")).contains("has no variant third");
        assertThat(runs(rows, "follow_up")).isZero();

        SuspectRows without = new SuspectRows(service, "public");
        without.run("""
                update machine_jdk set present = false
                 where jdk_build_id = (select jdk_build_id from jdk_build where slug = :slug)
                """, Map.of("slug", without.good));
        String lost = without.suspect("plain", CPU);
        reruns.followUp().block(TIMEOUT);
        assertThat(without.column(lost, "rerun_reason")).contains(without.good, "no longer on the machine");
        assertThat(without.column(lost, "status")).isEqualTo("suspect");
    }

    @Test
    void build_that_is_gone_is_waited_for_where_it_may_come_again_and_others_go_on() {
        SuspectRows rows = new SuspectRows(service, "public");
        String oldest = rows.between(1).getFirst();
        rows.provides();
        rows.remove(rows.good);
        String waits = rows.suspect("plain", CPU);
        String goesOn = rows.suspect("other", CPU, oldest, 1, 1.2);
        String other = followed(rows, goesOn);
        assertThat(rows.rerun(waits)).isNull();
        assertThat(rows.column(waits, "rerun_reason")).isNull();
        rows.end(other, "cancelled");
        reruns.decide().block(TIMEOUT);
        reruns.followUp().block(TIMEOUT);
        assertThat(rows.rerun(waits)).isNull();
        assertThat(rows.column(waits, "rerun_awaits_since")).isNotNull();
        rows.bring(rows.good);
        assertThat(followed(rows, waits)).isNotEqualTo(other);
        assertThat(rows.column(waits, "rerun_awaits_since")).isNull();
    }

    @Test
    void build_that_does_not_come_again_in_a_day_ends_the_wait() {
        SuspectRows rows = new SuspectRows(service, "public");
        rows.provides();
        rows.remove(rows.good);
        rows.remove(rows.young);
        String suspect = rows.suspect("plain", CPU);
        reruns.followUp().block(TIMEOUT);
        assertThat(rows.column(suspect, "rerun_reason")).isNull();
        rows.run(
                "update change_point set rerun_awaits_since = now() - interval '25 hours' where external_id = :id",
                Map.of("id", suspect));
        reruns.followUp().block(TIMEOUT);
        assertThat(rows.column(suspect, "rerun_reason"))
                .isEqualTo("no rerun: " + rows.good + " and " + rows.young + " are no longer on the machine");
        assertThat(rows.column(suspect, "rerun_awaits_since")).isNull();
    }

    @Test
    void suspect_whose_run_is_no_longer_understood_says_so_and_holds_up_no_other() {
        SuspectRows rows = new SuspectRows(service, "public");
        String old = rows.suspect("plain", CPU);
        rows.run("update run set spec = '{\"trials\": \"many\"}' where run_id = :run", Map.of("run", rows.run));
        reruns.followUp().block(TIMEOUT);
        assertThat(rows.column(old, "rerun_reason")).contains("stored spec", "not understood");
        assertThat(rows.column(old, "status")).isEqualTo("suspect");
        rows.run(
                "update run r set spec = x.spec from matrix x where x.matrix_id = r.matrix_id and r.run_id = :run",
                Map.of("run", rows.run));
        assertThat(followed(rows, rows.suspect("other", CPU))).isNotNull();
    }

    @Test
    void rerun_of_a_private_night_is_private_even_if_its_matrix_is_public_now() {
        SuspectRows rows = new SuspectRows(service, "public");
        rows.run("update run set visibility = 'private' where run_id = :run", Map.of("run", rows.run));
        followed(rows, rows.suspect("plain", CPU));
        assertThat(runs(rows, "follow_up and run.visibility = 'private'")).isEqualTo(1);
    }

    private String followed(SuspectRows rows, String suspect) {
        reruns.followUp().block(TIMEOUT);
        return Objects.requireNonNull(rows.rerun(suspect), "rerun of " + suspect);
    }

    private static long runs(SuspectRows rows, String where) {
        return rows.number(
                "select count(*) from run join machine m using (machine_id) where m.external_id = :machine and "
                        + where,
                Map.of("machine", rows.machine));
    }

    private static long cells(SuspectRows rows, String run) {
        return rows.number(
                "select count(*) from cell join run r using (run_id) where r.external_id = :run", Map.of("run", run));
    }
}
