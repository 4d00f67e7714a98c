package dev.loomboard.bundle;

import dev.loomboard.kernel.Digest;
import dev.loomboard.kernel.Secret;
import dev.loomboard.kit.Bench;
import dev.loomboard.verdict.DeclaredTest;
import dev.loomboard.verdict.TestDimension;
import dev.loomboard.verdict.VerdictStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.test.web.reactive.server.WebTestClient;
import reactor.core.publisher.Mono;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A run whose trials are what the agent once sent of real servers: five of each on two builds, one after the other, a diagnostic one with
 * artefacts, one that came late and one that never began. Those of the second build are of a mix of operations.
 */
public final class RecordedRun {

    /** Its own: other tests of the shared service may have the presets' with other phases. */
    public static final String PROTOCOL = "bundled/1";

    private static final int TRIALS = 5;
    private static final JsonMapper JSON = JsonMapper.shared();
    private static final Duration TIMEOUT = Duration.ofMinutes(2);
    private static final Instant BEGAN = Instant.parse("2026-11-23T00:30:03.094955541Z");
    private static final String STACKS = "java.lang.Thread.run;app.Work.io 12\napp.Main.main 1\n";

    private static @Nullable RecordedRun shared;

    private final DatabaseClient database;
    private final WebTestClient client;
    private final Secret key = Secret.random("lba");
    public final String id;
    public final List<String> trials = new ArrayList<>();
    private int begun;

    /** A public one, for tests that leave it as it is. */
    public static synchronized RecordedRun shared(DatabaseClient database, WebTestClient client) {
        RecordedRun made = shared == null ? new RecordedRun(database, client, "bundled", "public") : shared;
        shared = made;
        return made;
    }

    private RecordedRun(DatabaseClient database, WebTestClient client, String name, String visibility) {
        this.database = database;
        this.client = client;
        Bench bench = new Bench(database, name);
        long run = bench.newRun(visibility);
        id = text("select external_id from run where run_id = " + run);
        Bench.Cell one = bench.cell(run, bench.jdk(name + "-25", 25, 1), new Bench.Point(scenario(), 0, "{}"));
        Bench.Cell other = bench.cell(run, bench.jdk(name + "-26", 26, 1), new Bench.Point(scenario(), 1, "{}"));
        execute("update cell set load = '{\"profile\": \"constant\", \"rate\": 300, \"seconds\": 10}', framework ="
                + " 'None', declared_delay_ms = 0 where run_id = " + run);
        execute("update machine set agent_key_last4 = 'last', agent_key_hash = '\\x"
                + HexFormat.of().formatHex(key.hash())
                + "', fingerprint_hash = repeat('a', 64), class_hash = repeat('b', 64), visibility = '" + visibility
                + "'"
                + " where machine_id = (select machine_id from run where run_id = " + run + ")");
        execute("update jdk_build set identity = encode(sha256(slug::bytea), 'hex'), lineage_hash = repeat('c', 64)"
                + " where slug like '" + name + "-%'");
        execute("insert into machine_host (workspace_id, machine_id, since, fingerprint_hash, agent_version, facts)"
                + " select workspace_id, machine_id, '2026-11-22T00:00:00Z',"
                + " '4836ef72ffa90ee95d538301a169691579c01d17f58c36f8ca4eb889322243d4', 'test', '{\"cpu\": {\"threads\":"
                + " 4}, \"kernel\": {\"release\": \"6.1\"}}' from run where run_id = "
                + run);
        execute("update run set state = 'running', fencing = 2, attempts = 1, created_at = '2026-11-23T00:20:00Z',"
                + " started_at = '2026-11-23T00:25:00Z', planned_trials = 12, planned_seconds = 400,"
                + " progress = '{\"done\": 12, \"total\": 12}', notices = '[\"No build matched 24.\"]',"
                + " spec = (select jsonb_set(spec, '{protocol}', '\"" + PROTOCOL
                + "\"') from matrix where slug = 'starter' limit 1)"
                + " where run_id = " + run);
        complete(new VerdictStore(database, JSON)
                .declare(
                        run,
                        List.of(
                                        "response_excess_p50_ms",
                                        "response_excess_p99_ms",
                                        "cpu_us_per_request",
                                        "rss_mib",
                                        "error_ratio")
                                .stream()
                                .map(metric -> new DeclaredTest(TestDimension.JDK, 0, 1, metric))
                                .toList()));
        Bench.Trial late = bench.planned(one, "scored", 1, 1);
        List<Bench.Trial> planned = new ArrayList<>();
        for (int i = 1; i <= TRIALS; i++) {
            planned.add(bench.planned(one, "scored", i, 2));
            planned.add(bench.planned(other, "scored", i, 2));
        }
        Bench.Trial diagnostic = bench.planned(one, "diagnostic", 1, 2);
        Bench.Trial never = bench.planned(other, "diagnostic", 1, 2);
        execute("update trial set state = 'aborted', reason = 'Its agent stopped; lease 2 takes over.', phase ="
                + " 'measure', finished_at = '2026-11-23T00:29:00Z' where trial_id = " + late.id());
        upload("waits", late, 1, 3);
        for (int i = 0; i < planned.size(); i++) {
            upload(i % 2 == 0 ? "waits" : "sheds", planned.get(i), 2, 5);
        }
        upload("saturated", diagnostic, 2, 10);
        artefact(diagnostic, "stacks.txt", STACKS);
        artefact(diagnostic, "jvm.log", "[0.1s][info][gc] none\n");
        execute("update trial set state = 'aborted', reason = 'The run is done.', finished_at = now() where trial_id = "
                + never.id());
        bearer().post()
                .uri("/api/agent/v1/runs/" + id + "/complete")
                .bodyValue(Map.of("fencing", 2, "outcome", "done"))
                .exchange()
                .expectStatus()
                .isNoContent();
        trials.add(late.external());
        planned.forEach(t -> trials.add(t.external()));
        trials.add(diagnostic.external());
        trials.add(never.external());
    }

    /** The bundle of any run. */
    public static byte[] export(WebTestClient as, String run) {
        return export(as, run, "all");
    }

    /** @param content all or compact */
    public static byte[] export(WebTestClient as, String run, String content) {
        return Objects.requireNonNull(as.get()
                .uri("/api/v1/runs/" + run + "/bundle?content=" + content)
                .exchange()
                .expectStatus()
                .isOk()
                .expectHeader()
                .contentType("application/zip")
                .expectBody()
                .returnResult()
                .getResponseBody());
    }

    public static String scenario() {
        return "io@1?delayMs=100;constant:rate=300,seconds=10";
    }

    private void upload(String conversation, Bench.Trial trial, long fencing, int most) {
        Instant anchor = BEGAN.plus(Duration.ofMinutes(begun++));
        int sent = 0;
        for (JsonNode batch : recorded(conversation).path("batches")) {
            if (sent++ == most) {
                return;
            }
            ObjectNode changed =
                    ((ObjectNode) batch).put("trialId", trial.external()).put("fencing", fencing);
            if (conversation.equals("sheds")) {
                changed.path("steps").forEach(step -> mix((ObjectNode) step));
            }
            if (changed.path("start").isObject()) {
                ((ObjectNode) changed.path("start")).put("anchor", anchor.toString());
            }
            bearer().put()
                    .uri("/api/agent/v1/trials/" + trial.external() + "/batches/"
                            + batch.path("seq").asInt())
                    .contentType(MediaType.APPLICATION_JSON)
                    .header("Loomboard-Sent-At", Instant.now().toString())
                    .bodyValue(JSON.writeValueAsBytes(changed))
                    .exchange()
                    .expectStatus()
                    .isNoContent();
        }
    }

    /** As if every fourth of its hits had been another operation, of other times. */
    private static void mix(ObjectNode step) {
        ArrayNode operations = step.putArray("operations");
        ObjectNode list = operations.addObject().put("name", "list").put("weight", 3);
        ObjectNode read = operations.addObject().put("name", "read").put("weight", 1);
        for (String count : List.of("offered", "sent", "completed", "failed", "unfinished")) {
            share(count, step.path(count).asLong(), list, read);
        }
        share("completedInStep", step.at("/outcomes/completedInStep").asLong(), list, read);
        for (ObjectNode operation : List.of(list, read)) {
            operation.set("errors", step.at("/outcomes/errors"));
            for (String histogram : List.of("service", "serviceFailed", "response", "responseFailed")) {
                operation.set(histogram, step.path(histogram));
            }
        }
        read.set("response", step.path("lag"));
    }

    private static void share(String count, long all, ObjectNode list, ObjectNode read) {
        read.put(count, all / 4);
        list.put(count, all - all / 4);
    }

    private void artefact(Bench.Trial trial, String name, String content) {
        byte[] bytes = content.getBytes(StandardCharsets.UTF_8);
        bearer().put()
                .uri("/api/agent/v1/trials/" + trial.external() + "/artefacts/" + name)
                .contentType(MediaType.APPLICATION_OCTET_STREAM)
                .header("Loomboard-Sha256", HexFormat.of().formatHex(Digest.sha256(bytes)))
                .bodyValue(bytes)
                .exchange()
                .expectStatus()
                .isNoContent();
    }

    private static JsonNode recorded(String name) {
        try {
            return JSON.readTree(Files.readString(Path.of("src/test/resources/recorded/" + name + ".json")));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private WebTestClient bearer() {
        return client.mutate()
                .defaultHeader(HttpHeaders.AUTHORIZATION, "Bearer " + key.value())
                .build();
    }

    private String text(String sql) {
        return Objects.requireNonNull(database.sql(sql)
                .map(row -> Objects.requireNonNull(row.get(0, String.class)))
                .one()
                .block(TIMEOUT));
    }

    private void execute(String sql) {
        complete(database.sql(sql).then());
    }

    private static void complete(Mono<?> mono) {
        mono.block(TIMEOUT);
    }
}
