package dev.loomboard.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.expansion.TrialPlan;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** After its first blocks a run gives further trials by their spread alone. */
final class RunFurtherTrialsTest extends RunWebTest {

    private static final int FIRST = 5;
    private static final int CELLS = 12;

    /** ±2 % from block to block: ⌈(2.776 × 0.0219 ÷ ln 1.02)²⌉ = 10 blocks. */
    private static final String NOISY = "100 * exp(0.02 * (case when t.ordinal % 2 = 0 then -1 else 1 end))";

    @Test
    void noisy_comparison_gets_further_blocks_and_the_run_ends_when_they_are_made() {
        String run = measured(12, NOISY);
        complete(run, 1, "done").expectStatus().isNoContent();
        JsonNode waiting = status(run);
        assertThat(waiting.get("state").asString()).isEqualTo("leased");
        assertThat(waiting.get("total").asInt()).isEqualTo(CELLS * FIRST + 10);
        assertThat(waiting.get("notices").toString())
                .contains(
                        "after the first 5 blocks, ",
                        "10 of at most 12 further trials make 1 more that precise",
                        "would need 10 blocks and get none");

        JsonNode further = claim().get("trials");
        assertThat(further.valueStream().map(t -> t.get("ordinal").asInt()))
                .as("blocks of the two cells, one after the other")
                .containsExactly(6, 6, 7, 7, 8, 8, 9, 9, 10, 10);
        assertThat(further.valueStream().map(t -> t.get("cellId").asString()).distinct())
                .hasSize(2)
                .contains(noisyCell(run));
        assertThat(number("select count(*) from run where pilot -> 'trials' = '10' and external_id = '" + run + "'"))
                .isEqualTo(1);

        measure(run, NOISY);
        complete(run, 2, "done").expectStatus().isNoContent();
        assertThat(status(run).get("state").asString()).isEqualTo("done");
        assertThat(verdictBlocks(run))
                .as("the pair on the builds, and no other")
                .containsExactly(10L);
    }

    @Test
    void further_blocks_that_a_person_cut_off_are_judged_as_cut_short() {
        String run = measured(12, NOISY);
        complete(run, 1, "done").expectStatus().isNoContent();
        claim();
        complete(run, 2, "cancelled").expectStatus().isNoContent();
        assertThat(number("select count(*) from comparison where cut_short_of = 10 and blocks = 5 and run_id = "
                        + key(run)))
                .isEqualTo(1);
    }

    @Test
    void still_run_ends_with_its_first_blocks_and_says_so() {
        String run = measured(12, "100");
        complete(run, 1, "done").expectStatus().isNoContent();
        assertThat(status(run).get("state").asString()).isEqualTo("done");
        assertThat(status(run).get("notices").toString()).contains("0 of at most 12 further trials");
    }

    @Test
    void later_blocks_are_of_the_cells_that_have_them_and_leave_the_order_of_the_first() {
        List<TrialPlan.Place> places = IntStream.range(0, 6)
                .mapToObj(cell -> new TrialPlan.Place("scenario", "group" + cell / 2))
                .toList();
        var first = TrialPlan.of(places, cell -> FIRST, cell -> 0, 7);
        var all = TrialPlan.of(places, cell -> cell == 1 || cell == 4 ? 8 : FIRST, cell -> 0, 7);
        assertThat(all.subList(0, first.size())).isEqualTo(first);
        assertThat(all.subList(first.size(), all.size()))
                .hasSize(6)
                .allSatisfy(slot -> assertThat(slot.cell()).isIn(1, 4));
    }

    /** A run whose first blocks are made: every cell's memory is 100 MiB, that of one cell is as said. */
    private String measured(int further, String noisy) {
        String run = queue(machine);
        execute("update run set spec = jsonb_set(spec, '{trials}', '{\"scored\": 5, \"diagnostic\": 0, \"further\": "
                + further + "}') where external_id = '" + run + "'");
        assertThat(claim().get("trials")).hasSize(CELLS * FIRST);
        measure(run, noisy);
        return run;
    }

    private void measure(String run, String noisy) {
        endTrials(run, "state = 'done', validity = 'valid', started_at = now(), finished_at = now()");
        execute("""
                insert into trial_metric (trial_id, metric, value, eligible)
                select t.trial_id, 'rss_mib', case when c.external_id = '%s' then %s else 100 end, true
                  from trial t join cell c using (cell_id)
                 where t.run_id = %d on conflict do nothing""".formatted(noisyCell(run), noisy, key(run)));
    }

    private String noisyCell(String run) {
        return await(database.sql("select external_id from cell where ordinal = 0 and run_id = " + key(run))
                .map(row -> Objects.requireNonNull(row.get("external_id", String.class)))
                .one());
    }

    private List<Long> verdictBlocks(String run) {
        return await(database.sql(
                        "select distinct blocks::bigint as blocks from comparison where metric = 'rss_mib' and blocks > 5 and run_id = "
                                + key(run))
                .map(row -> Objects.requireNonNull(row.get("blocks", Long.class)))
                .all()
                .collectList());
    }

    private long key(String run) {
        return number("select run_id from run where external_id = '" + run + "'");
    }
}
