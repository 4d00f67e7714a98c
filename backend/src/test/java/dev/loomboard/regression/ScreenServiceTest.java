package dev.loomboard.regression;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.kit.Cast.Role;
import dev.loomboard.kit.SuspectRows;
import dev.loomboard.kit.WebTest;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.r2dbc.core.DatabaseClient;

/** Nights with a control on a real database: what the screen raises, and what becomes of it. The service's own job may come first. */
final class ScreenServiceTest extends WebTest {

    private static final Duration TIMEOUT = Duration.ofMinutes(2);
    private static final int NIGHTS = 6;
    /** What the host does to all that a night measures. */
    private static final double[] WAVE = {1, 1.2, 0.9, 1.1, 1, 1.3, 1.25, 0.8, 1.15};

    private final ScreenService screens = service.bean(ScreenService.class);
    private final RerunService reruns = service.bean(RerunService.class);
    private final SuspectRows rows = new SuspectRows(service, "public");
    /** Only what nights are copied from: nothing is to be done about it. */
    private final String template = rows.suspect("plain", "cpu_us_per_request");

    private final List<String> builds = rows.between(NIGHTS + 3);
    private final String young = builds.get(NIGHTS);

    @Test
    void rise_against_the_control_is_raised_and_rerun_and_the_page_says_why() {
        nights(NIGHTS, 1);
        long night = night(NIGHTS, 1.05);
        screen();
        assertThat(run(night, "screened_series")).isEqualTo("1");
        assertThat(run(night, "screened_rises")).isEqualTo("1");
        String raised = Objects.requireNonNull(raised());
        assertThat(column(raised, "standing")).isEqualTo("false");
        assertThat(build(raised, "good_build_id")).isEqualTo(builds.get(NIGHTS - 1));
        String path = "/regressions/" + raised;
        assertThat(page(client, path).text())
                .contains(
                        "Screened: +",
                        "% relative to the control " + rows.good,
                        "nights without a change would rise this much by chance")
                .contains("only starts reruns");
        assertThat(page(client, "/runs/" + run(night, "external_id")).text())
                .contains("Series screened for slowdowns relative to it: 1; above the limit: 1.");
        assertThat(history()).as("no change point").doesNotContain(raised);

        String rerun = followed(raised);
        assertThat(page(client, "/runs/" + rerun).text()).contains("1 of them by the nightly screen");
        rows.measured(rerun, 1.2, young);
        reruns.decide().block(TIMEOUT);
        assertThat(column(raised, "status")).isEqualTo("confirmed");
        assertThat(column(raised, "confirmed_by")).isEqualTo("rerun");
        assertThat(history()).contains(raised);
    }

    @Test
    void what_a_rerun_clears_leaves_no_alarm_and_is_not_raised_again() {
        nights(NIGHTS, 1);
        night(NIGHTS, 1.05);
        screen();
        String raised = Objects.requireNonNull(raised());
        rows.measured(followed(raised), 1);
        reruns.decide().block(TIMEOUT);
        assertThat(column(raised, "status")).isEqualTo("cleared");
        night(NIGHTS, 1.05);
        screen();
        assertThat(raisedCount()).as("the same build").isEqualTo(1);
        assertThat(page(client, "/regressions?machine=" + rows.name).html()).doesNotContain(raised);
        assertThat(history()).doesNotContain(raised);
        assertThat(feed()).doesNotContain(raised);
    }

    @Test
    void host_wave_an_improvement_and_too_few_nights_raise_nothing() {
        nights(NIGHTS - 2, 1);
        assertThat(run(night(NIGHTS - 2, 1.2), "screened_series")).isEqualTo("0");
        long wave = night(NIGHTS, 1);
        long better = night(NIGHTS, 0.9);
        screen();
        assertThat(run(wave, "screened_series")).isEqualTo("1");
        assertThat(run(better, "screened_rises")).isEqualTo("0");
        assertThat(raisedCount()).isZero();
    }

    @Test
    void nights_on_another_control_or_host_or_before_a_confirmed_change_tell_nothing() {
        for (String sql : List.of(
                "update run set control_build_id = (select jdk_build_id from jdk_build where slug = :other) where run_id = :run",
                "update point set fingerprint_hash = 'other' where run_id = :run",
                "update run set follow_up = true where run_id = :run",
                "update point set eligible = false where run_id = :run")) {
            ScreenServiceTest spoilt = new ScreenServiceTest();
            spoilt.nights(NIGHTS, 1);
            spoilt.spoil(sql);
            long night = spoilt.night(NIGHTS, 1.05);
            screen();
            assertThat(spoilt.run(night, "screened_series")).as(sql).isEqualTo("0");
        }
        nights(NIGHTS, 1);
        rows.run("""
                insert into change_point (workspace_id, series_id, jdk_build_id, good_build_id, q_hat, p, before, after, direction,
                                          standing, methodology, status, confirmed_by, decided_at)
                select cp.workspace_id, cp.series_id, j.jdk_build_id, cp.good_build_id, 9.5, 1e-6, 1, 1.2, 'worse', true, '1',
                       'confirmed', 'rerun', now()
                  from change_point cp, jdk_build j where cp.external_id = :id and j.slug = :build
                """, Map.of("id", template, "build", builds.get(3)));
        long night = night(NIGHTS, 1.05);
        screen();
        assertThat(run(night, "screened_series")).as("three nights since").isEqualTo("0");
    }

    @Test
    void newest_build_of_a_night_before_counts_however_early_it_was_measured() {
        nights(NIGHTS - 1, 1);
        String newest = builds.get(NIGHTS - 1);
        long both = rows.night(template, Map.of(newest, 1.0, builds.get(NIGHTS - 2), 1.0, rows.good, 2.0));
        rows.run(
                "update point set measured_at = measured_at - interval '1 second' where run_id = :run and jdk_build_id = (select jdk_build_id from jdk_build where slug = :build)",
                Map.of("run", both, "build", newest));
        control(both);
        night(NIGHTS, 1.05);
        screen();
        assertThat(build(Objects.requireNonNull(raised()), "good_build_id")).isEqualTo(newest);
    }

    /** The builds of the two nights before are as slow: a rerun against them would clear all three. */
    @Test
    void rise_that_did_not_show_at_once_is_rerun_against_the_newest_build_before_it() {
        nights(NIGHTS, 1);
        night(NIGHTS, 1.05);
        night(NIGHTS + 1, 1.05);
        night(NIGHTS + 2, 1.09);
        screen();
        String last = Objects.requireNonNull(text(
                "select c.external_id " + RAISED
                        + " and c.jdk_build_id = (select jdk_build_id from jdk_build where slug = :slug)",
                Map.of("machine", rows.machine, "slug", builds.get(NIGHTS + 2))));
        assertThat(build(last, "good_build_id")).isEqualTo(builds.get(NIGHTS - 1));
    }

    @Test
    void machine_without_reruns_is_not_screened() {
        rows.run("update machine set reruns = false where external_id = :machine", Map.of("machine", rows.machine));
        nights(NIGHTS, 1);
        long night = night(NIGHTS, 1.5);
        screen();
        assertThat(run(night, "screened_series")).isEqualTo("0");
        assertThat(raisedCount()).isZero();
    }

    @Test
    void raised_beyond_the_days_budget_waits_and_says_so() {
        String raised = raisedWithoutTime();
        reruns.followUp().block(TIMEOUT);
        assertThat(rows.rerun(raised)).isNull();
        assertThat(page(client, "/regressions?machine=" + rows.name).text())
                .contains("screened, waiting for a rerun", "Reruns are limited to 8 hours a day");
        rows.run(
                "update run set created_at = now() - interval '25 hours' where follow_up and machine_id = (select machine_id from machine where external_id = :machine)",
                Map.of("machine", rows.machine));
        assertThat(followed(raised)).isNotNull();
    }

    /** Such as one that its history confirmed, and that the detector sees no longer. */
    @Test
    void what_an_owner_asks_for_does_not_wait_for_the_days_budget() {
        String raised = raisedWithoutTime();
        rows.run(
                "update change_point set status = 'confirmed', confirmed_by = 'history', decided_at = now(), history_at = now(), history_change = 0.2, history_p = 1e-6, rerun_reason = 'no rerun' where external_id = :id",
                Map.of("id", raised));
        as(Role.OWNER)
                .post()
                .uri("/regressions/" + raised + "/rerun")
                .exchange()
                .expectStatus()
                .isSeeOther();
        assertThat(rows.rerun(raised)).isNotNull();
    }

    @Test
    void newer_night_that_lies_no_higher_takes_what_waits_out_of_the_queue() {
        String raised = raisedWithoutTime();
        night(NIGHTS + 1, 1.02);
        screen();
        assertThat(column(raised, "rerun_reason")).as("that one lies higher").isNull();
        night(NIGHTS + 2, 0.98);
        screen();
        assertThat(column(raised, "rerun_reason"))
                .isEqualTo("no rerun: while it waited, " + builds.get(NIGHTS + 2)
                        + " was no higher than the nights before it");
        assertThat(column(raised, "status")).isEqualTo("suspect");
        assertThat(page(client, "/regressions/" + raised).text()).contains("was no higher than the nights before it");
    }

    @Test
    void what_waits_for_two_weeks_is_too_old_and_what_the_detector_sees_is_not() {
        String raised = raisedWithoutTime();
        rows.run(
                "update change_point set detected_at = now() - interval '15 days', standing = true where external_id = :id",
                Map.of("id", raised));
        screen();
        assertThat(column(raised, "rerun_reason")).isNull();
        ScreenServiceTest old = new ScreenServiceTest();
        String expired = old.raisedWithoutTime();
        rows.run(
                "update change_point set detected_at = now() - interval '15 days' where external_id = :id",
                Map.of("id", expired));
        screen();
        assertThat(column(expired, "rerun_reason")).contains("it waited 14 days");
    }

    /** Raised by the screen, after the day's reruns have taken all of its budget. */
    private String raisedWithoutTime() {
        nights(NIGHTS, 1);
        rows.run("""
                insert into run (external_id, workspace_id, machine_id, matrix_id, title, visibility, spec, state, methodology,
                                 created_by, started_at, finished_at, follow_up, look, planned_seconds)
                select new_external_id('run'), workspace_id, machine_id, matrix_id, 'A rerun', visibility, spec, 'done', '1', 'test',
                       now(), now(), true, 1, 3 * 3600
                  from run where run_id = :run
                """, Map.of("run", rows.run));
        night(NIGHTS, 1.05);
        screen();
        return Objects.requireNonNull(raised());
    }

    private void nights(int count, double ratio) {
        rows.run(
                "update change_point set rerun_reason = 'nothing is done about it' where external_id = :id",
                Map.of("id", template));
        for (int i = 0; i < count; i++) {
            night(i, ratio);
        }
    }

    /** @param ratio of the new build to the control of the night, by and large; gives the run's internal key */
    private long night(int build, double ratio) {
        double wave = WAVE[build];
        double noise = 1 + 0.002 * (build * 7 % 5 - 2);
        long night = rows.night(template, Map.of(builds.get(build), wave * ratio * noise, rows.good, 2 * wave));
        control(night);
        return night;
    }

    private void control(long night) {
        rows.run(
                "update run set control_build_id = (select jdk_build_id from jdk_build where slug = :control) where run_id = :run",
                Map.of("control", rows.good, "run", night));
    }

    private void spoil(String sql) {
        rows.run(
                sql.replace(
                                "run_id = :run",
                                "run_id in (select run_id from run where control_build_id is not null and machine_id = (select machine_id from machine where external_id = :machine))")
                        .replace(":other", "'" + builds.get(0) + "'"),
                Map.of("machine", rows.machine));
    }

    private void screen() {
        screens.screen().block(TIMEOUT);
    }

    private String followed(String raised) {
        reruns.followUp().block(TIMEOUT);
        return Objects.requireNonNull(rows.rerun(raised), "rerun of " + raised);
    }

    private static final String RAISED =
            "from change_point c join series s using (series_id) join machine m using (machine_id) where m.external_id = :machine and c.screen_change is not null";

    private @Nullable String raised() {
        return text("select min(c.external_id) " + RAISED, Map.of("machine", rows.machine));
    }

    private long raisedCount() {
        return rows.number("select count(*) " + RAISED, Map.of("machine", rows.machine));
    }

    private @Nullable String column(String change, String column) {
        return rows.column(change, column);
    }

    private @Nullable String build(String change, String column) {
        return text(
                "select slug from jdk_build where jdk_build_id = (select " + column
                        + " from change_point where external_id = :id)",
                Map.of("id", change));
    }

    private @Nullable String run(long key, String column) {
        screen();
        return text("select " + column + "::text from run where run_id = :run", Map.of("run", key));
    }

    private @Nullable String text(String sql, Map<String, Object> values) {
        return Objects.requireNonNull(service.bean(DatabaseClient.class)
                        .sql(sql)
                        .bindValues(values)
                        .map(row -> Optional.ofNullable(row.get(0, String.class)))
                        .one()
                        .block(TIMEOUT))
                .orElse(null);
    }

    /** JSON of the series' history. */
    private String history() {
        String series = Objects.requireNonNull(text(
                "select s.external_id from change_point c join series s using (series_id) where c.external_id = :id",
                Map.of("id", template)));
        return body("/series/" + series + ".json");
    }

    private String feed() {
        return body("/regressions.atom");
    }

    private String body(String path) {
        return Objects.requireNonNull(client.get()
                .uri(path)
                .exchange()
                .expectStatus()
                .isOk()
                .expectBody(String.class)
                .returnResult()
                .getResponseBody());
    }
}
