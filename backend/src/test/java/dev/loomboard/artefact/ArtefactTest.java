package dev.loomboard.artefact;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.kernel.MachineId;
import dev.loomboard.kit.Cast.Role;
import dev.loomboard.kit.PlannedTrial;
import dev.loomboard.kit.WebTest;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Objects;
import org.jsoup.nodes.Document;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.test.web.reactive.server.EntityExchangeResult;
import org.springframework.test.web.reactive.server.WebTestClient;

/** Artefacts: stored once, refused when they are not what they say, read by those who may. */
final class ArtefactTest extends WebTest {

    private static final Duration TIMEOUT = Duration.ofMinutes(2);
    private static final String STACKS = "java.lang.Thread.run;app.Work.io 12\napp.Main.main 1\n";

    private PlannedTrial plan = PlannedTrial.random();

    @BeforeEach
    void plant() {
        plan = PlannedTrial.random();
        database.sql(plan.sql()).then().block(TIMEOUT);
    }

    @Test
    void artefact_is_stored_once_and_served_as_it_was_sent() {
        assertThat(put("stacks.txt", STACKS)).isEqualTo(204);
        assertThat(put("stacks.txt", STACKS)).isEqualTo(204);
        assertThat(put("stacks.txt", STACKS + "b 1\n")).isEqualTo(409);
        EntityExchangeResult<byte[]> served = get(as(Role.OWNER), "stacks.txt");
        assertThat(served.getStatus().value()).isEqualTo(200);
        assertThat(new String(Objects.requireNonNull(served.getResponseBody()), StandardCharsets.UTF_8))
                .isEqualTo(STACKS);
        assertThat(served.getResponseHeaders().getContentType())
                .isEqualTo(new MediaType("text", "plain", StandardCharsets.UTF_8));
        assertThat(served.getResponseHeaders().getFirst(HttpHeaders.CONTENT_DISPOSITION))
                .startsWith("attachment;");
        assertThat(served.getResponseHeaders().getFirst("X-Content-Type-Options"))
                .isEqualTo("nosniff");
    }

    @Test
    void documents_are_stored_and_shown() throws IOException {
        assertThat(put("diagnosis.json", example("artefact-diagnosis.json"))).isEqualTo(204);
        assertThat(put("classes.json", example("artefact-classes.json"))).isEqualTo(204);
        Diagnostics shown = Objects.requireNonNull(service.bean(ArtefactStore.class)
                .ofTrial(plan.trial(), new dev.loomboard.kernel.Caller.Agent(machine(), plan.machine(), workspace()))
                .block(TIMEOUT));
        assertThat(Objects.requireNonNull(shown.diagnosis())
                        .contention()
                        .getFirst()
                        .type())
                .isEqualTo("org.apache.tomcat.util.net.NioEndpoint$Poller");
        assertThat(Objects.requireNonNull(Objects.requireNonNull(shown.classes())
                                .classes()
                                .getFirst()
                                .after())
                        .bytes())
                .isEqualTo(8912345);
        assertThat(shown.has(ArtefactName.STACKS)).isFalse();
    }

    @Test
    void failed_trial_of_any_kind_shows_how_it_failed_and_what_its_server_left() {
        assertThat(put("server-output.txt", "out of luck\n")).isEqualTo(204);
        assertThat(put("hs-err.txt", "# SIGSEGV <b>\n")).isEqualTo(204);
        assertThat(put("threads.txt", "\"main\" #1\n")).isEqualTo(204);
        Document before = page(as(Role.OWNER), "/trials/" + plan.trial());
        assertThat(before.select("#failure")).as("it has not failed").isEmpty();

        execute("""
                update trial set state = 'failed', reason = 'the server is gone', finished_at = now(), end_facts = '
                  {"outcome": "failed", "batches": 1, "phaseSeconds": {}, "missing": {},
                   "failure": {"phase": "warmup", "exit": "signal: aborted", "crash": "SIGSEGV (0xb) in C [libc.so.6+0x9cefc]"}}'
                 where external_id = '%s'
                """.formatted(plan.trial()));
        Document page = page(as(Role.OWNER), "/trials/" + plan.trial());
        assertThat(page.select("#failure").text())
                .contains(
                        "Phase warm-up",
                        "Server signal: aborted",
                        "JVM crashed: SIGSEGV (0xb) in C [libc.so.6+0x9cefc]");
        assertThat(page.select("#failure a").eachText())
                .containsExactly("hs-err.txt", "server-output.txt", "threads.txt");
        EntityExchangeResult<byte[]> report = get(as(Role.OWNER), "hs-err.txt");
        assertThat(report.getStatus().value()).isEqualTo(200);
        assertThat(report.getResponseHeaders().getFirst(HttpHeaders.CONTENT_DISPOSITION))
                .startsWith("attachment;");
        assertThat(get(client, "hs-err.txt").getStatus().value()).isEqualTo(404);
    }

    @Test
    void private_artefact_is_hidden_from_whom_its_run_is_hidden() {
        assertThat(put("stacks.txt", STACKS)).isEqualTo(204);
        assertThat(get(client, "stacks.txt").getStatus().value()).isEqualTo(404);
        assertThat(get(as(Role.STRANGER), "stacks.txt").getStatus().value()).isEqualTo(404);
        assertThat(get(as(Role.TOKEN), "stacks.txt").getStatus().value()).isEqualTo(200);
        database.sql("update run set visibility = 'public' where external_id = :run")
                .bind("run", plan.run())
                .then()
                .block(TIMEOUT);
        assertThat(get(client, "stacks.txt").getStatus().value()).isEqualTo(200);
        assertThat(get(client, "jvm.log").getStatus().value()).isEqualTo(404);
    }

    @Test
    void another_machine_cannot_add_to_a_trial() {
        PlannedTrial other = PlannedTrial.random();
        database.sql(other.sql()).then().block(TIMEOUT);
        assertThat(put(bearer(other.agentKey().value()), "stacks.txt", STACKS, digest(STACKS)))
                .isEqualTo(410);
        assertThat(get(as(Role.OWNER), "stacks.txt").getStatus().value()).isEqualTo(404);
    }

    @Test
    void what_is_not_what_it_says_is_refused_and_not_stored() throws IOException {
        WebTestClient agent = bearer(plan.agentKey().value());
        String diagnosis = example("artefact-diagnosis.json");
        assertThat(put(agent, "stacks.txt", STACKS, digest("another"))).isEqualTo(422);
        assertThat(put(agent, "stacks.txt", STACKS, "none")).isEqualTo(422);
        assertThat(put("stacks.txt", "no number\n")).isEqualTo(422);
        assertThat(put("stacks.txt", "<script> </script> 1\n")).isEqualTo(422);
        assertThat(put("diagnosis.json", "{\"schema\":")).isEqualTo(400);
        assertThat(put("diagnosis.json", "null")).isEqualTo(422);
        assertThat(put("diagnosis.json", "{}")).isEqualTo(422);
        assertThat(put("diagnosis.json", diagnosis + " {}")).isBetween(400, 422);
        assertThat(put("diagnosis.json", diagnosis.replaceFirst("\"samples\"", "\"samplez\"")))
                .isEqualTo(422);
        assertThat(put("diagnosis.json", diagnosis.replace("1842", "-1"))).isEqualTo(422);
        assertThat(put("diagnosis.json", diagnosis.replace("0.6569", "1e999"))).isEqualTo(422);
        assertThat(put("diagnosis.json", diagnosis.replace("\"enter\"", "\"ate\"")))
                .isEqualTo(422);
        assertThat(put("classes.json", diagnosis)).isEqualTo(422);
        assertThat(put("passwd", STACKS)).isEqualTo(410);
        assertThat(put("stacks.txt", "a".repeat(Upload.MOST_BYTES) + " 1\n")).isEqualTo(413);
        assertThat(database.sql("select count(*) from artefact join trial using (trial_id) where external_id = :trial")
                        .bind("trial", plan.trial())
                        .map(row -> Objects.requireNonNull(row.get(0, Long.class)))
                        .one()
                        .block(TIMEOUT))
                .isZero();
    }

    @Test
    void workspace_has_a_quota() {
        execute("insert into workspace (external_id, slug, name) values (new_external_id('wsp'), 'full-"
                + plan.run().substring(4) + "', 'Full')");
        execute("insert into workspace_limit (workspace_id, artefact_bytes) select workspace_id, "
                + (STACKS.length() + 3) + " from workspace where slug = 'full-"
                + plan.run().substring(4) + "'");
        execute("update run set workspace_id = (select workspace_id from workspace where slug = 'full-"
                + plan.run().substring(4) + "') where external_id = '" + plan.run() + "'");
        assertThat(put("stacks.txt", STACKS)).isEqualTo(204);
        assertThat(put("stacks.txt", STACKS)).as("the very same again").isEqualTo(204);
        EntityExchangeResult<byte[]> refused =
                answer(bearer(plan.agentKey().value()), "jvm.log", "four", digest("four"));
        assertThat(refused.getStatus().value()).isEqualTo(413);
        assertThat(new String(Objects.requireNonNull(refused.getResponseBody()), StandardCharsets.UTF_8))
                .contains("artefacts of diagnostic trials", "LOOMBOARD_ARTEFACT_QUOTA");
        assertThat(put("jvm.log", "two")).isEqualTo(204);
    }

    private MachineId machine() {
        return new MachineId(key("select machine_id from machine where external_id = :id"));
    }

    private dev.loomboard.kernel.WorkspaceId workspace() {
        return new dev.loomboard.kernel.WorkspaceId(key("select workspace_id from machine where external_id = :id"));
    }

    private long key(String sql) {
        return Objects.requireNonNull(database.sql(sql)
                .bind("id", plan.machine())
                .map(row -> Objects.requireNonNull(row.get(0, Long.class)))
                .one()
                .block(TIMEOUT));
    }

    private int put(String name, String content) {
        return put(bearer(plan.agentKey().value()), name, content, digest(content));
    }

    private int put(WebTestClient as, String name, String content, String sha256) {
        return answer(as, name, content, sha256).getStatus().value();
    }

    private EntityExchangeResult<byte[]> answer(WebTestClient as, String name, String content, String sha256) {
        return as.put()
                .uri("/api/agent/v1/trials/{trial}/artefacts/{name}", plan.trial(), name)
                .contentType(MediaType.APPLICATION_OCTET_STREAM)
                .header("Loomboard-Sha256", sha256)
                .bodyValue(content.getBytes(StandardCharsets.UTF_8))
                .exchange()
                .expectBody()
                .returnResult();
    }

    private EntityExchangeResult<byte[]> get(WebTestClient as, String name) {
        return as.get()
                .uri("/trials/{trial}/artefacts/{name}", plan.trial(), name)
                .exchange()
                .expectBody()
                .returnResult();
    }

    private static String example(String file) throws IOException {
        return Files.readString(Path.of("api", "examples", file));
    }

    private static String digest(String content) {
        try {
            byte[] bytes = content.getBytes(StandardCharsets.UTF_8);
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
