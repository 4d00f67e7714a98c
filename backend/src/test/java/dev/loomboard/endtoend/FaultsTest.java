package dev.loomboard.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.endtoend.Wire.BatchKey;
import dev.loomboard.endtoend.Wire.Cut;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * kill -9 at the worst moments of an upload, with the built agent and the service as a process. Nothing that they
 * measure is judged, so that they run beside each other and beside other tests.
 */
@Execution(ExecutionMode.CONCURRENT)
@Order(2)
final class FaultsTest {

    private static final JsonMapper JSON = JsonMapper.builder().build();

    private Installation here;

    @BeforeEach
    void install() throws Exception {
        here = new Installation("faults");
        here.setUp();
    }

    @AfterEach
    void remove() throws Exception {
        here.close();
    }

    @Test
    void agent_killed_while_it_uploads_loses_no_sealed_batch_and_stores_none_twice() throws Exception {
        String run = here.person.runsItNow();
        List<BatchKey> cut = new ArrayList<>();
        Set<BatchKey> sealed = new HashSet<>();
        for (Cut where : List.of(Cut.HALF_SENT, Cut.ANSWERED)) {
            Set<String> before = cut.stream().map(BatchKey::trial).collect(Collectors.toSet());
            CompletableFuture<BatchKey> fallen = here.wire.breakAt(
                    where, batch -> batch.seq() > 0 && !before.contains(batch.trial()), here.agent::kill);
            here.agent.run();
            cut.add(fallen.get(5, TimeUnit.MINUTES));
            sealed.addAll(here.agent.spooled());
        }
        AgentProgram.Running running = here.agent.run();

        JsonNode status = here.awaitEnd(run, running);
        running.stop();

        assertThat(status.path("state").asString()).as(status.toString()).isEqualTo("done");
        assertThat(states(run))
                .as("one trial for each agent: what was killed is never ranked; a busy machine makes the last again")
                .startsWith("aborted", "aborted", "done")
                .hasSizeBetween(3, 4)
                .endsWith("done");
        assertThat(sealed)
                .as("batches that the killed agents left in the spool")
                .containsAll(cut);
        assertThat(here.wire.contents().keySet()).containsAll(sealed);
        assertThat(cut)
                .allSatisfy(batch -> assertThat(here.wire.tries(batch))
                        .as("%s was sent again", batch)
                        .isGreaterThan(1));
        everythingIsStoredOnce();
    }

    @Test
    void service_killed_during_an_upload_loses_no_sealed_batch_and_stores_none_twice() throws Exception {
        String run = here.person.runsItNow();
        AgentProgram.Running running = here.agent.run();
        List<BatchKey> cut = new ArrayList<>();
        // The second cut is of a batch that the first kept waiting, or of a later one.
        for (Cut where : List.of(Cut.HALF_SENT, Cut.SENT)) {
            cut.add(here.wire
                    .breakAt(where, batch -> batch.seq() > 0, here::killService)
                    .get(5, TimeUnit.MINUTES));
            here.startServiceAgain();
        }

        JsonNode status = here.awaitEnd(run, running);
        running.stop();

        assertThat(status.path("state").asString()).as(status.toString()).isEqualTo("done");
        assertThat(states(run))
                .as("the agent went on measuring; a busy machine makes a trial again")
                .hasSizeBetween(1, 2)
                .containsOnly("done");
        assertThat(cut)
                .allSatisfy(batch -> assertThat(here.wire.tries(batch))
                        .as("%s was sent again", batch)
                        .isGreaterThan(1));
        everythingIsStoredOnce();
    }

    private List<String> states(String run) throws Exception {
        return here
                .rows("select t.state from trial t join run r using (run_id) where r.external_id = '" + run
                        + "' order by t.fencing, t.position")
                .stream()
                .map(List::getFirst)
                .toList();
    }

    /** What the agents sealed, by what went over the wire and what lies in the spool, against what the database has. */
    private void everythingIsStoredOnce() throws Exception {
        assertThat(here.agent.spooled())
                .as("left in the spool or in quarantine")
                .isEmpty();
        Map<String, String> sent = new TreeMap<>();
        here.wire.contents().forEach((batch, contents) -> {
            assertThat(contents).as("contents of %s", batch).hasSize(1);
            sent.put(
                    batch.trial() + "/" + batch.seq(),
                    sha256(contents.iterator().next()));
        });
        Map<String, String> stored = here
                .rows(
                        "select t.external_id || '/' || b.seq, encode(b.sha256, 'hex') from batch b join trial t using (trial_id)")
                .stream()
                .collect(Collectors.toMap(List::getFirst, List::getLast, (a, b) -> "twice", TreeMap::new));
        assertThat(stored).isEqualTo(sent);
        everyTrialIsWhole(stored);
        noReadingIsThereTwice();
    }

    /** The last batch of a trial says how many the agent sealed. */
    private void everyTrialIsWhole(Map<String, String> stored) {
        Map<String, Long> counts = stored.keySet().stream()
                .collect(Collectors.groupingBy(key -> key.split("/")[0], Collectors.counting()));
        Map<String, Long> sealed = new TreeMap<>();
        here.wire.contents().forEach((batch, contents) -> {
            JsonNode end = JSON.readTree(contents.iterator().next()).path("end");
            if (end.isObject()) {
                sealed.put(batch.trial(), end.path("batches").asLong());
                assertThat(end.path("batches").asInt()).isEqualTo(batch.seq() + 1);
            }
        });
        assertThat(counts).isEqualTo(sealed);
        sealed.forEach((trial, count) -> assertThat(stored.keySet())
                .containsAll(IntStream.range(0, Math.toIntExact(count))
                        .mapToObj(seq -> trial + "/" + seq)
                        .toList()));
    }

    private void noReadingIsThereTwice() throws Exception {
        assertThat(here.rows("""
                        select c.trial_id, c.metric, at, count(*) from sample_chunk c, unnest(c.at_ns) at
                         group by 1, 2, 3 having count(*) > 1
                        """)).as("samples that are there twice").isEmpty();
        assertThat(here.rows("""
                        select (select sum(offered) from step), (select sum(intended) from load_window where phase = 'measure' and
                                trial_id in (select trial_id from step))
                        """))
                .as("hits of the step, made once or twice, and of its windows together")
                .allSatisfy(row ->
                        assertThat(row.getFirst()).isEqualTo(row.getLast()).isIn("500", "1000"));
    }

    private static String sha256(String text) {
        try {
            return HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8)));
        } catch (java.security.NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
