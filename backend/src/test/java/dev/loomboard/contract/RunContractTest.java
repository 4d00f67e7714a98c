package dev.loomboard.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.kernel.ExternalId;
import dev.loomboard.kit.Cast.Role;
import dev.loomboard.kit.TestMachine;
import dev.loomboard.kit.WebTest;
import dev.loomboard.matrix.MatrixSpec;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Set;
import java.util.TreeSet;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.springframework.http.HttpHeaders;
import org.springframework.test.web.reactive.server.WebTestClient;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** One run from the queue to its last stored batch, as both descriptions have it; every described answer is seen. */
final class RunContractTest extends WebTest {

    private static final String CREATE = "POST /api/v1/runs";
    private static final String LIST = "GET /api/v1/runs";
    private static final String STATUS = "GET /api/v1/runs/{runId}";
    private static final String CLAIM = "POST /api/agent/v1/claim";
    private static final String HEARTBEAT = "POST /api/agent/v1/runs/{runId}/heartbeat";
    private static final String COMPLETE = "POST /api/agent/v1/runs/{runId}/complete";
    private static final String BATCH = "PUT /api/agent/v1/trials/{trialId}/batches/{seq}";

    private static final String ARTEFACT = "PUT /api/agent/v1/trials/{trialId}/artefacts/{name}";
    private static final String SERVER_LIST = "GET /api/agent/v1/server-list";
    private static final String FEATURES = "GET /api/agent/v1/features";
    private static final String NEEDED_BUILDS = "GET /api/agent/v1/needed-builds";
    private static final String JDK_PROGRESS = "PUT /api/agent/v1/jdk-progress";
    private static final String BUILDS_WITHOUT_FLAGS = "GET /api/agent/v1/jdk-flags";
    private static final String JDK_FLAGS = "PUT /api/agent/v1/jdk-flags/{build}";
    private static final String SIGNING_KEYS = "GET /api/agent/v1/signing-keys";

    private static final String CONTRACT = "GET /api/contracts/{file}";
    private static final String HEALTH = "GET /api/health";

    /** Each has a contract test of its own, bundles BundlePagesTest; the tests' service offers no servers. */
    private static final String ELSEWHERE = ".*(/register|/inventory|/key|/registration-tokens"
            + "|/comparisons(/\\{axis})?|/bundles?|/regressions|/retractions|/audit|/drain|/retire|/schedules.*) .*|.*/server-list 200";

    private static final int MEBI = 1024 * 1024;
    private static final int TOO_MUCH = 33 * MEBI;

    private final Conversation agent = new Conversation(Contract.AGENT);
    private final Conversation scripts = new Conversation(Contract.SCRIPTS);
    private final WebTestClient script = as(Role.TOKEN);
    private final TestMachine machine = TestMachine.registered(script, client, "public");
    private final WebTestClient key = bearer(machine.key());
    private final String unknownRun = ExternalId.random("run").value();
    private final String unknownTrial = ExternalId.random("trl").value();

    @Test
    void description_is_served_as_it_is() {
        for (String file : new String[] {"v1.yaml", "agent-v1.yaml"}) {
            JsonNode served =
                    scripts.call(client, CONTRACT, null, file).expect(200).json();
            assertThat(served.asString()).isEqualTo(Contract.text(Contract.FOLDER.resolve(file)));
        }
        JsonNode schema = scripts.call(client, CONTRACT, null, "matrix-1.schema.json")
                .expect(200)
                .json();
        assertThat(schema.at("/properties/schema/const").asString()).isEqualTo(MatrixSpec.SCHEMA);
        scripts.call(client, CONTRACT, null, "metrics.json").expect(404);
    }

    @Test
    void run_goes_as_described_from_the_queue_to_its_last_batch() throws IOException {
        scripts.call(client, HEALTH, null).expect(200);
        scripts.call(client, CONTRACT, null, "v1.yaml").expect(200);
        agent.call(client, FEATURES, null).expect(200);
        agent.call(client, SIGNING_KEYS, null).expect(401);
        agent.call(key, SIGNING_KEYS, null).expect(200);
        agent.call(client, NEEDED_BUILDS, null).expect(401);
        agent.call(key, NEEDED_BUILDS, null).expect(200);
        ObjectNode progress = (ObjectNode) ExamplesTest.example("jdk-progress.json");
        agent.call(client, JDK_PROGRESS, progress).expect(401);
        agent.call(key, JDK_PROGRESS, progress).expect(204);
        Refusals.check(Contract.AGENT, JDK_PROGRESS, progress, bad -> agent.send(key, JDK_PROGRESS, bad));
        flags();
        agent.call(client, SERVER_LIST, null).expect(401);
        agent.call(key, SERVER_LIST, null).expect(422);
        WebTestClient once = key.mutate()
                .defaultHeader("Loomboard-Nonce", "AAECAwQFBgcICQoLDA0ODw")
                .build();
        agent.call(once, SERVER_LIST, null).expect(404);
        agent.call(client, CLAIM, null).expect(401);
        agent.call(key, CLAIM + "?waitSeconds=0", null).expect(204);
        agent.call(key, CLAIM + "?waitSeconds=51", null).expect(422);
        String run = queued();
        JsonNode assignment =
                agent.call(key, CLAIM + "?waitSeconds=0", null).expect(200).json();
        assertThat(assignment.get("runId").asString()).isEqualTo(run);
        heartbeats(run, assignment.get("fencing").asLong());
        artefacts(assignment.at("/trials/0/trialId").asString());
        uploads(assignment);
        completes(run, assignment.get("fencing").asLong());
        scripts.call(script, STATUS, null, run).expect(200);
        assertThat(agent.answers()).as("described answers that were seen").containsAll(described(Contract.AGENT));
        assertThat(scripts.answers()).as("described answers that were seen").containsAll(described(Contract.SCRIPTS));
    }

    private String queued() {
        ObjectNode request = object("""
                {"matrix": "starter", "machine": "%s", "jdks": ["25"], "servers": ["spring-mvc"], "workloads": ["io", "compute"]}""".formatted(machine.slug()));
        scripts.call(client, CREATE, request).expect(401);
        Refusals.check(Contract.SCRIPTS, CREATE, request, bad -> scripts.send(script, CREATE, bad));
        String run = scripts.call(script, CREATE, request)
                .expect(201)
                .json()
                .get("runId")
                .asString();
        scripts.call(script, STATUS, null, run).expect(200);
        scripts.call(script, STATUS, null, unknownRun).expect(404);
        ObjectNode beside = request.deepCopy().put("control", "no-such-build");
        assertThat(scripts.call(script, CREATE, beside).expect(422).json().toString())
                .contains("no-such-build");
        JsonNode newest = scripts.call(script, LIST + "?machine=" + machine.slug(), null)
                .expect(200)
                .json();
        assertThat(newest.at("/runs/0/runId").asString()).isEqualTo(run);
        return run;
    }

    private void flags() {
        agent.call(client, BUILDS_WITHOUT_FLAGS, null).expect(401);
        JsonNode lacking =
                agent.call(key, BUILDS_WITHOUT_FLAGS, null).expect(200).json();
        String build = lacking.at("/builds/0").asString();
        JsonNode flags = ExamplesTest.example("jdk-flags.json");
        agent.call(client, JDK_FLAGS, flags, build).expect(401);
        agent.call(key, JDK_FLAGS, flags, "no-build").expect(404);
        agent.call(key, JDK_FLAGS, flags, build).expect(204);
        Refusals.check(Contract.AGENT, JDK_FLAGS, flags, bad -> agent.send(key, JDK_FLAGS, bad, build));
        assertThat(agent.call(key, BUILDS_WITHOUT_FLAGS, null)
                        .expect(200)
                        .json()
                        .get("builds"))
                .hasSize(lacking.get("builds").size() - 1)
                .noneMatch(left -> left.asString().equals(build));
    }

    private void heartbeats(String run, long fencing) {
        ObjectNode beat = ((ObjectNode) ExamplesTest.example("heartbeat.json"))
                .put("fencing", fencing)
                .putNull("trialId");
        Refusals.check(Contract.AGENT, HEARTBEAT, beat, bad -> agent.send(key, HEARTBEAT, bad, run));
        agent.call(key, HEARTBEAT, beat, run).expect(200);
        agent.call(client, HEARTBEAT, beat, run).expect(401);
        agent.call(key, HEARTBEAT, beat, unknownRun).expect(404);
        agent.call(key, HEARTBEAT, beat.deepCopy().put("fencing", fencing + 1), run)
                .expect(409);
    }

    private void uploads(JsonNode assignment) throws IOException {
        String trial = assignment.at("/trials/0/trialId").asString();
        ObjectNode first = batch("batch-first.json", trial, assignment);
        agent.call(client, BATCH, first, trial, 0).expect(401);
        agent.call(key, BATCH, batch("batch-first.json", unknownTrial, assignment), unknownTrial, 0)
                .expect(410);
        agent.call(key, BATCH, first, trial, 1).expect(422);
        agent.sendBytes(key, BATCH, "{\"schema\":".getBytes(StandardCharsets.UTF_8), trial, 0)
                .expect(400);
        agent.sendBytes(gzip(key), BATCH, packed(new byte[TOO_MUCH]), trial, 0).expect(413);
        for (String file : new String[] {"batch-first.json", "batch-middle.json", "batch-last.json"}) {
            ObjectNode batch = batch(file, trial, assignment);
            int seq = batch.get("seq").asInt();
            Refusals.check(Contract.AGENT, BATCH, batch, bad -> agent.send(key, BATCH, bad, trial, seq));
            agent.call(key, BATCH, batch, trial, seq).expect(204); // none of those was stored, or this were 409
            agent.call(key, BATCH, batch, trial, seq).expect(204);
        }
        first.withObject("start").put("agentVersion", "another");
        agent.call(key, BATCH, first, trial, 0).expect(409);
        ObjectNode beyond = batch("batch-middle.json", trial, assignment).put("seq", 3);
        agent.call(key, BATCH, beyond, trial, 3).expect(410);
    }

    private void artefacts(String trial) throws IOException {
        byte[] file = Contract.text(Contract.FOLDER.resolve("examples/artefact-diagnosis.json"))
                .getBytes(StandardCharsets.UTF_8);
        byte[] other = "a;b 3".getBytes(StandardCharsets.UTF_8);
        byte[] broken = "{".getBytes(StandardCharsets.UTF_8);
        String name = "diagnosis.json";
        agent.sendFile(client, ARTEFACT, file, digest(file), trial, name).expect(401);
        agent.sendFile(key, ARTEFACT, file, digest(file), unknownTrial, name).expect(410);
        agent.sendFile(key, ARTEFACT, file, digest(file), trial, "virus.exe").expect(410);
        agent.sendFile(key, ARTEFACT, file, digest(other), trial, name).expect(422);
        agent.sendFile(key, ARTEFACT, broken, digest(broken), trial, name).expect(400);
        agent.sendFile(gzip(key), ARTEFACT, packed(new byte[TOO_MUCH]), digest(file), trial, name)
                .expect(413);
        agent.sendFile(key, ARTEFACT, file, digest(file), trial, name).expect(204);
        agent.sendFile(key, ARTEFACT, file, digest(file), trial, name).expect(204);
        agent.sendFile(key, ARTEFACT, other, digest(other), trial, "stacks.txt").expect(204);
        byte[] another = "a;b 4".getBytes(StandardCharsets.UTF_8);
        agent.sendFile(key, ARTEFACT, another, digest(another), trial, "stacks.txt")
                .expect(409);
    }

    private static String digest(byte[] content) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(content));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    private void completes(String run, long fencing) {
        ObjectNode done = ((ObjectNode) ExamplesTest.example("completion.json")).put("fencing", fencing);
        agent.call(key, COMPLETE, done, run).expect(409); // other trials have not ended
        Refusals.check(Contract.AGENT, COMPLETE, done, bad -> agent.send(key, COMPLETE, bad, run));
        ObjectNode failed = done.deepCopy().put("outcome", "failed").put("reason", "There was no more power");
        agent.call(key, COMPLETE, failed, unknownRun).expect(404);
        agent.call(key, COMPLETE, failed, run).expect(204);
        agent.call(key, COMPLETE, failed, run).expect(204);
    }

    private static ObjectNode batch(String file, String trial, JsonNode assignment) {
        ObjectNode batch = (ObjectNode) ExamplesTest.example(file);
        return batch.put("trialId", trial)
                .put("fencing", assignment.get("fencing").asLong());
    }

    private static Set<String> described(Contract contract) {
        Set<String> answers = new TreeSet<>(contract.answers());
        answers.removeIf(answer -> answer.matches(ELSEWHERE));
        return answers;
    }

    private static WebTestClient gzip(WebTestClient as) {
        return as.mutate().defaultHeader(HttpHeaders.CONTENT_ENCODING, "gzip").build();
    }

    private static byte[] packed(byte[] body) throws IOException {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
            gzip.write(body);
        }
        return packed.toByteArray();
    }

    private static ObjectNode object(String json) {
        return (ObjectNode) JsonMapper.shared().readTree(json);
    }
}
