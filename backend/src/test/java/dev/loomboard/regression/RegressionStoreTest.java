package dev.loomboard.regression;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.bisection.BisectionStore;
import dev.loomboard.inbox.TriageStore;
import dev.loomboard.kernel.VisibleSql;
import dev.loomboard.kit.StoreTest;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What pages, feed and job ask is found by indices. */
final class RegressionStoreTest extends StoreTest {

    @Test
    void queries_can_be_answered_by_indices() {
        for (String sql : List.of(
                RegressionStore.LIST,
                RegressionStore.FEED,
                RegressionStore.ONE,
                TriageStore.SIDES,
                ControlStore.DUE,
                ControlStore.NIGHTS,
                BisectionStore.RANGE,
                BisectionStore.SHOWN,
                "select cp.change_point_id " + RerunStore.WAITING)) {
            String literal = VisibleSql.text(sql)
                    .replaceAll("(?<!:):mine", "'{1}'::bigint[]")
                    .replaceAll("(?<!:):changes", "'{1}'::bigint[]")
                    .replaceAll("(?<!:):metrics", "'{a}'::text[]")
                    .replaceAll("(?<!:):(most|key|change|enough|tells)", "17")
                    .replaceAll("(?<!:):status", "'suspect'")
                    .replaceAll("(?<!:):id", "'chg_a'")
                    .replaceAll("(?<!:):(direction|triage|machine|jdk|rerun)", "''");
            assertThat(plan(literal)).as(sql).isNotEmpty().noneMatch(line -> line.contains("Seq Scan"));
        }
    }

    @Test
    void newest_of_a_status_and_the_feed_are_read_from_the_end_of_an_index() {
        String list = VisibleSql.text(RegressionStore.LIST)
                .replaceAll("(?<!:):mine", "'{1}'::bigint[]")
                .replaceAll("(?<!:):most", "17")
                .replaceAll("(?<!:):status", "'suspect'")
                .replaceAll("(?<!:):(direction|triage|machine|jdk|rerun)", "''");
        assertThat(String.join("\n", plan(list))).contains("change_point_status_ix");
        String feed = VisibleSql.text(RegressionStore.FEED)
                .replaceAll("(?<!:):mine", "'{1}'::bigint[]")
                .replaceAll("(?<!:):most", "17");
        assertThat(String.join("\n", plan(feed))).contains("change_point_confirmed_ix");
        assertThat(String.join("\n", plan("select cp.change_point_id " + RerunStore.WAITING)))
                .contains("change_point_waiting_ix");
    }
}
