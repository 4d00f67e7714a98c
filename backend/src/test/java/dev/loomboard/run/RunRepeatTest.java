package dev.loomboard.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** A block that generator or host spoilt is made again before its run ends. */
final class RunRepeatTest extends RunWebTest {

    private static final String WHY = "hits left late by the generator's own fault";

    @Test
    void spoilt_block_is_made_again_whole_by_the_same_run_and_once() {
        String run = spoilt();
        complete(run, 1, "done").expectStatus().isNoContent();
        JsonNode waiting = status(run);
        assertThat(waiting.get("state").asString()).isEqualTo("leased");
        assertThat(waiting.get("notices").toString())
                .contains("block 1 of ", "(2 trials) is repeated: " + WHY)
                .doesNotContain("not repeated");
        assertThat(waiting.get("total").asInt()).isEqualTo(TRIALS + 2);

        JsonNode assignment = claim();
        assertThat(assignment.get("runId").asString()).isEqualTo(run);
        assertThat(assignment.get("fencing").asInt()).isEqualTo(2);
        assertThat(assignment.get("trials"))
                .as("the spoilt trial and its partner")
                .hasSize(2)
                .allSatisfy(trial -> assertThat(trial.get("ordinal").asInt()).isEqualTo(1));
        assertThat(assignment.get("trials").get(0).get("jdk"))
                .isNotEqualTo(assignment.get("trials").get(1).get("jdk"));

        end(run, 2, "");
        execute("update trial set validity = 'invalid' where trial_id in (" + trials(run, "fencing = 2") + ")");
        complete(run, 2, "done").expectStatus().isNoContent();
        assertThat(status(run).get("state").asString())
                .as("a block is repeated once, whatever its repeat came to")
                .isEqualTo("done");
        assertThat(status(run).get("done").asInt()).isEqualTo(TRIALS + 2);
        assertThat(page(run)).contains("repeated");
    }

    @Test
    void end_that_is_told_twice_changes_nothing() {
        String run = spoilt();
        complete(run, 1, "done").expectStatus().isNoContent();
        beat(run, 1, null).expectStatus().isOk();
        complete(run, 1, "done").expectStatus().isNoContent();
        assertThat(status(run).get("state").asString()).isEqualTo("leased");
        assertThat(claim().get("trials")).hasSize(2);
    }

    @Test
    void failure_and_what_a_person_cancels_are_not_repeated() {
        String failed = queue(machine);
        claim();
        endTrials(failed, "state = 'failed', reason = 'it crashed'");
        complete(failed, 1, "done").expectStatus().isNoContent();
        assertThat(status(failed).get("state").asString()).isEqualTo("done");

        String cancelled = spoilt();
        cancel(cancelled);
        complete(cancelled, 1, "done").expectStatus().isNoContent();
        assertThat(status(cancelled).get("state").asString()).isEqualTo("done");
    }

    @Test
    void repeat_that_was_cut_off_leaves_its_block_as_it_was() {
        String run = spoilt();
        complete(run, 1, "done").expectStatus().isNoContent();
        claim();
        end(run, 2, "order by position limit 1");
        complete(run, 2, "cancelled").expectStatus().isNoContent();
        assertThat(cells(run, "fencing = 2")).as("cells of the block").hasSize(2);
        assertThat(standings(run))
                .as("the half that was made again does not count, nor does what was aborted")
                .containsExactly("trial 1 is invalid (" + WHY + ")");
        assertThat(cells(run, "cut_off")).isEqualTo(cells(run, "fencing = 2"));
    }

    @Test
    void repeat_that_its_agent_left_half_made_is_begun_anew() {
        String run = spoilt();
        complete(run, 1, "done").expectStatus().isNoContent();
        claim();
        end(run, 2, "order by position limit 1");
        JsonNode third = claim();
        assertThat(third.get("fencing").asInt()).isEqualTo(3);
        assertThat(third.get("trials")).as("the whole block, under one lease").hasSize(2);
        end(run, 3, "");
        complete(run, 3, "done").expectStatus().isNoContent();
        assertThat(status(run).get("state").asString()).isEqualTo("done");
        assertThat(cells(run, "cut_off and fencing = 2")).hasSize(2);
        assertThat(cells(run, "cut_off and fencing <> 2")).isEmpty();
    }

    /** A run of which all is made, and one scored trial is invalid. */
    private String spoilt() {
        String run = queue(machine);
        claim();
        endTrials(run, "state = 'done', validity = 'valid', started_at = now(), finished_at = now()");
        execute("update trial set validity = 'invalid', reason = '" + WHY.replace("'", "''") + "' where trial_id = ("
                + trials(run, "kind = 'scored' order by position limit 1") + ")");
        return run;
    }

    private void end(String run, int fencing, String which) {
        execute(
                "update trial set state = 'done', validity = 'valid', started_at = now(), finished_at = now() where trial_id in ("
                        + trials(run, "fencing = " + fencing + " " + which) + ")");
    }

    private static String trials(String run, String where) {
        return "select trial_id from trial t join run r using (run_id) where r.external_id = '" + run + "' and t."
                + where.strip();
    }

    private List<Long> cells(String run, String where) {
        return await(database.sql(
                        "select distinct cell_id from trial where run_id = (select run_id from run where external_id = '"
                                + run + "') and " + where)
                .map(row -> Objects.requireNonNull(row.get("cell_id", Long.class)))
                .all()
                .collectList());
    }

    /** What the boards say of the cells of the block that was to be repeated. */
    private List<String> standings(String run) {
        return await(database.sql("""
                        select e.reasons[1] as said
                          from leaderboard_entry e join run r using (run_id)
                         where r.external_id = :run and e.standing = 'unranked'
                           and e.cell_id in (select cell_id from trial t where t.run_id = r.run_id and t.fencing = 2)
                           and e.reasons[1] like 'trial 1 %'
                        """)
                .bind("run", run)
                .map(row -> Objects.requireNonNull(row.get("said", String.class)))
                .all()
                .collectList());
    }
}
