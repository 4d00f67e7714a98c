package dev.loomboard.machine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.kit.Bench;
import dev.loomboard.kit.Cast.Role;
import dev.loomboard.kit.WebTest;
import dev.loomboard.recompute.RecomputeService;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.springframework.transaction.reactive.TransactionalOperator;
import org.springframework.web.reactive.function.BodyInserters;

/** A machine whose results are hidden leaves the public ranks at once, and these close up behind it. */
final class HiddenRanksTest extends WebTest {

    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final String SCENARIO = "hidden-ranks@1?;constant:rate=300,seconds=12";

    @Test
    void ranks_follow_a_machine_that_is_hidden_and_shown_again() {
        ranked("ranks-one", 101);
        ranked("ranks-two", 110);
        assertThat(ranks()).containsExactly("ranks-one 1–1 of 2", "ranks-two 2–2 of 2");
        show("ranks-one", "private");
        assertThat(ranks()).containsExactly("ranks-one 1–1 of 1", "ranks-two 1–1 of 1");
        show("ranks-one", "public");
        assertThat(ranks()).containsExactly("ranks-one 1–1 of 2", "ranks-two 2–2 of 2");
    }

    private void show(String machine, String visibility) {
        as(Role.OWNER)
                .post()
                .uri("/w/main/machines/" + machine + "/visibility")
                .body(BodyInserters.fromFormData("visibility", visibility))
                .exchange()
                .expectStatus()
                .is3xxRedirection();
    }

    private void ranked(String machine, double millis) {
        Bench bench = new Bench(database, machine);
        bench.qualify();
        Bench.Cell cell = bench.cell(bench.jdk(machine + "-25", 25, 1), "public", new Bench.Point(SCENARIO, 0, "{}"));
        List<Long> trials = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            Bench.Trial trial = bench.planned(cell, "scored", i + 1, 1);
            trials.add(bench.measured(trial, millis + i * 0.01, "valid").id());
        }
        service.bean(RecomputeService.class)
                .trialsEnded(trials)
                .as(service.bean(TransactionalOperator.class)::transactional)
                .block(TIMEOUT);
    }

    private List<String> ranks() {
        return Objects.requireNonNull(database.sql("""
                        select m.slug || ' ' || r.best || '–' || r.worst || ' of ' || r.entries
                          from leaderboard_rank r join leaderboard_entry e using (leaderboard_entry_id) join machine m using (machine_id)
                         where e.scenario_key = :scenario order by 1
                        """)
                .bind("scenario", SCENARIO)
                .map(row -> Objects.requireNonNull(row.get(0, String.class)))
                .all()
                .collectList()
                .block(TIMEOUT));
    }
}
