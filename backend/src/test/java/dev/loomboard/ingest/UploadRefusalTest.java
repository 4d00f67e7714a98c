package dev.loomboard.ingest;

import static dev.loomboard.ingest.Examples.array;
import static dev.loomboard.ingest.Examples.batch;
import static dev.loomboard.ingest.Examples.object;
import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.kernel.Secret;
import dev.loomboard.kit.PlannedTrial;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.springframework.http.MediaType;
import tools.jackson.databind.node.ObjectNode;

/** What uploads are refused, and that a refusal stores nothing. */
final class UploadRefusalTest extends UploadWebTest {

    @Test
    void other_content_for_a_stored_number_is_a_conflict() throws IOException {
        assertThat(put("middle", b -> {})).isEqualTo(204);
        refused(409, null, () -> send("middle", b -> array(b, "/ticks/lateNs").set(0, 1)));
    }

    @Test
    void lease_that_is_not_the_trials_is_refused() {
        refused(422, "fencing", () -> send("middle", b -> b.put("fencing", 2)));
    }

    /** Else a server without a JVM would be ranked on a JDK. */
    @Test
    void trial_on_a_jdk_that_ran_on_none_is_refused() {
        refused(422, "start.jdk", () -> send("first", b -> object(b, "/start").remove("jdk")));
    }

    @Test
    void sealed_trial_takes_no_more() throws IOException {
        for (String name : List.of("first", "middle", "last")) {
            assertThat(put(name, b -> {})).isEqualTo(204);
        }
        refused(410, null, () -> send(plan.agentKey(), 3, gzip(own("middle", b -> b.put("seq", 3))), true, null));
    }

    @Test
    void number_beyond_the_end_is_gone_and_an_end_before_the_last_is_refused() throws IOException {
        assertThat(put("last", b -> {})).isEqualTo(204);
        refused(410, null, () -> send(plan.agentKey(), 9, gzip(own("middle", b -> b.put("seq", 9))), true, null));
        refused(422, "end", () -> send("middle", b -> b.set("end", lastEnd(2))));
        plant();
        assertThat(send(plan.agentKey(), 5, gzip(own("middle", b -> b.put("seq", 5))), true, null)
                        .status())
                .isEqualTo(204);
        refused(422, "end.batches", () -> send("last", b -> {}));
    }

    @Test
    void second_or_step_that_another_batch_has_is_refused_whole() throws IOException {
        assertThat(put("middle", b -> {})).isEqualTo(204);
        refused(422, "windows", () -> send(plan.agentKey(), 4, gzip(own("middle", b -> b.put("seq", 4))), true, null));
        assertThat(put("last", b -> b.remove("end"))).isEqualTo(204);
        refused(
                422,
                "steps",
                () -> send(
                        plan.agentKey(),
                        4,
                        gzip(own("last", b -> {
                            b.put("seq", 4);
                            b.remove("end");
                        })),
                        true,
                        null));
    }

    @Test
    void stranger_gets_no_further_than_the_door() throws IOException {
        byte[] body = gzip(own("first", b -> {}));
        refused(401, null, () -> send(Secret.random("lba"), 0, body, true, null));
        refused(
                401,
                null,
                () -> answer(client.put()
                        .uri(plan.path(0))
                        .contentType(MediaType.APPLICATION_JSON)
                        .bodyValue(body)
                        .exchange()));
        PlannedTrial other = PlannedTrial.random();
        execute(other.sql());
        refused(410, null, () -> send(other.agentKey(), 0, body, true, null));
        execute("update machine set agent_key_hash = null, revoked_at = now() where external_id = '" + other.machine()
                + "'");
        refused(401, null, () -> send(other.agentKey(), 0, body, true, null));
    }

    @Test
    void unknown_trial_is_gone() throws IOException {
        execute("delete from trial where external_id = '" + plan.trial() + "'");
        assertThat(put("first", b -> {})).isEqualTo(410);
    }

    @Test
    void body_that_cannot_be_read_is_refused() throws IOException {
        byte[] whole = gzip(own("first", b -> {}));
        refused(400, null, () -> send(plan.agentKey(), 0, Arrays.copyOf(whole, whole.length - 12), true, null));
        refused(400, null, () -> send(plan.agentKey(), 0, own("first", b -> {}), true, null)); // said to be gzip
        refused(400, null, () -> send(plan.agentKey(), 0, whole, false, null)); // not said to be gzip
        refused(
                400,
                null,
                () -> send(plan.agentKey(), 0, gzip("{\"schema\":".getBytes(StandardCharsets.UTF_8)), true, null));
        refused(422, "(body)", () -> send(plan.agentKey(), 0, gzip(new byte[0]), true, null));
        refused(422, "(body)", () -> send(plan.agentKey(), 0, new byte[0], false, null));
        refused(422, "(body)", () -> send(plan.agentKey(), 0, gzip("[]".getBytes(StandardCharsets.UTF_8)), true, null));
        refused(
                415,
                null,
                () -> answer(bearer(plan.agentKey().value())
                        .put()
                        .uri(plan.path(0))
                        .contentType(MediaType.TEXT_PLAIN)
                        .bodyValue(whole)
                        .exchange()));
    }

    @Test
    void body_that_is_too_large_is_refused() throws IOException {
        byte[] noise = new byte[4 * 1024 * 1024 + 1];
        new Random(1).nextBytes(noise);
        refused(413, null, () -> send(plan.agentKey(), 0, noise, true, null));
        refused(413, null, () -> send(plan.agentKey(), 0, noise, false, null));
        byte[] bomb = new byte[33 * 1024 * 1024];
        Arrays.fill(bomb, (byte) ' ');
        refused(413, null, () -> send(plan.agentKey(), 0, gzip(bomb), true, null));
    }

    @Test
    void trial_takes_no_more_than_its_page_and_roll_up_can_bear() throws IOException {
        assertThat(put("first", b -> {})).isEqualTo(204);
        String ofTrial = " where trial_id = (select trial_id from trial where external_id = '" + plan.trial() + "')";
        List.of("ticks", "windows", "steps", "phases").forEach(what -> {
            execute("update batch set " + what + " = 50000" + ofTrial);
            refused(
                    422,
                    what,
                    () -> send("last", b -> b.set("windows", batch("middle").get("windows"))));
            execute("update batch set " + what + " = 0" + ofTrial);
        });
        execute("update batch set facts = 4194304" + ofTrial);
        refused(422, "(body)", () -> send("last", b -> {}));
        execute("update batch set facts = null, bytes = 134217728" + ofTrial);
        refused(422, "(body)", () -> send("last", b -> {}));
        execute("update batch set bytes = 1" + ofTrial);
        assertThat(put("last", b -> {})).isEqualTo(204);
        assertThat(text(
                        "select concat_ws(' ', sum(ticks), sum(windows), sum(steps), sum(phases), sum(facts) > 0) from batch",
                        "seq = 2 and trial_id"))
                .isEqualTo("1 0 1 2 t");
    }

    @Test
    void wrong_field_is_named() {
        refused(422, "seq", () -> send(plan.agentKey(), 7, gzip(own("first", b -> {})), true, null));
        refused(422, "trialId", () -> send("first", b -> b.put("trialId", Examples.TRIAL)));
        refused(422, "extra", () -> send("first", b -> b.put("extra", true)));
        refused(
                422,
                "windows[0].service",
                () -> send("middle", b -> object(b, "/windows/0").put("service", "rubbish!")));
        refused(
                422,
                "ticks.columns.proc.rss_bytes",
                () -> send(
                        "first", b -> array(b, "/ticks/columns/proc.rss_bytes").add(1)));
        refused(
                422,
                "start.commandLine[0]",
                () -> send("first", b -> array(b, "/start/commandLine").set(0, Examples.PLAIN.valueToTree("\0"))));
        refused(
                422,
                "Loomboard-Sent-At",
                () -> send(plan.agentKey(), 0, gzip(own("first", b -> {})), true, "yesterday"));
    }

    private static ObjectNode lastEnd(int batches) {
        return object(batch("last"), "/end").put("batches", batches);
    }
}
