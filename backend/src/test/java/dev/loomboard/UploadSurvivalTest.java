package dev.loomboard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.database.DatabaseUrl;
import dev.loomboard.kit.PlannedTrial;
import dev.loomboard.kit.ServiceProcess;
import dev.loomboard.kit.TestDatabases;
import dev.loomboard.kit.Trees;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The service is killed amid uploads; an agent that sends again whatever was not acknowledged loses and doubles nothing. */
final class UploadSurvivalTest {

    private static final int BATCHES = 120;
    private static final int KILLS = 2;
    private static final JsonMapper JSON = JsonMapper.shared();

    private final DatabaseUrl database = TestDatabases.fresh();
    private final PlannedTrial plan = PlannedTrial.random();
    private final HttpClient agent = HttpClient.newHttpClient();
    /** Batches below this are acknowledged. */
    private final AtomicInteger acknowledged = new AtomicInteger();

    @Test
    void uploads_survive_a_killed_service() throws Exception {
        execute(plan.sql());
        Path folder = Files.createTempDirectory(Path.of("target").toAbsolutePath(), "uploads-");
        try {
            for (int kill = 1; kill <= KILLS; kill++) {
                uploadUntilKilled(folder, kill * BATCHES / (KILLS + 2));
                assertThat(number("select count(*) from batch"))
                        .as("stored, against acknowledged")
                        .isGreaterThanOrEqualTo(acknowledged.get());
            }
            try (ServiceProcess service = start(folder)) {
                String address = service.awaitAddress();
                int before = Math.max(0, acknowledged.get() - 5);
                for (int seq = before; seq < BATCHES; seq++) { // some of them again: an agent may not have heard
                    assertThat(put(address, seq)).isEqualTo(204);
                }
                service.stop();
            }
            assertEverythingOnce();
        } finally {
            Trees.delete(folder);
            TestDatabases.drop(database);
        }
    }

    /** Sends one after the other; once {@code after} are acknowledged, kills the service while the next are on their way. */
    private void uploadUntilKilled(Path folder, int after) throws Exception {
        try (ServiceProcess service = start(folder)) {
            String address = service.awaitAddress();
            CountDownLatch reached = new CountDownLatch(1);
            Thread sender = Thread.ofVirtual().start(() -> sendOn(address, after, reached));
            reached.await();
            service.kill();
            sender.join();
        }
    }

    private void sendOn(String address, int after, CountDownLatch reached) {
        try {
            while (acknowledged.get() < BATCHES - 1 && put(address, acknowledged.get()) == 204) {
                if (acknowledged.incrementAndGet() >= after) {
                    reached.countDown();
                }
            }
        } catch (IOException e) {
            // the service is gone: what was under way stays unacknowledged
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            reached.countDown();
        }
    }

    private void assertEverythingOnce() throws SQLException {
        assertThat(number("select count(*) from batch")).isEqualTo(BATCHES);
        assertThat(number("select count(distinct seq) from batch")).isEqualTo(BATCHES);
        assertThat(number("select count(*) from sample_chunk")).isEqualTo(BATCHES);
        assertThat(number("select sum(v)::bigint from sample_chunk, unnest(value) v"))
                .isEqualTo(BATCHES * (BATCHES - 1L) / 2 * 3);
        assertThat(number("select count(*) from sample_chunk, unnest(at_ns) t")).isEqualTo(BATCHES * 3L);
        assertThat(number("select count(*) from load_window")).isEqualTo(BATCHES);
        assertThat(number("select count(*) from trial where state = 'done' and not late and finished_at is not null"))
                .isEqualTo(1);
    }

    private int put(String address, int seq) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(address + plan.path(seq)))
                .timeout(Duration.ofMinutes(2))
                .header("Authorization", "Bearer " + plan.agentKey().value())
                .header("Content-Type", "application/json")
                .PUT(HttpRequest.BodyPublishers.ofByteArray(JSON.writeValueAsBytes(batch(seq))))
                .build();
        return agent.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
    }

    /** Always the same for a number: three samples of its number, one second of load. */
    private ObjectNode batch(int seq) throws IOException {
        ObjectNode batch = example(seq == 0 ? "first" : seq == BATCHES - 1 ? "last" : "middle");
        batch.put("trialId", plan.trial()).put("seq", seq).remove("steps");
        ObjectNode ticks = batch.putObject("ticks");
        ArrayNode at = ticks.putArray("atNs");
        ArrayNode late = ticks.putArray("lateNs");
        ArrayNode values = ticks.putObject("columns").putArray("proc.rss_bytes");
        for (int i = 0; i < 3; i++) {
            at.add(seq * 5_000_000_000L + i * 1_000_000_000L);
            late.add(0);
            values.add(seq);
        }
        ObjectNode window = (ObjectNode) example("middle").at("/windows/0");
        batch.putArray("windows").add(window.put("atNs", seq * 5_000_000_000L));
        if (seq == BATCHES - 1) {
            ((ObjectNode) batch.get("end")).put("batches", BATCHES);
        }
        return batch;
    }

    private static ObjectNode example(String name) throws IOException {
        return (ObjectNode) JSON.readTree(Files.readString(Path.of("api/examples/batch-" + name + ".json")));
    }

    private ServiceProcess start(Path folder) throws IOException {
        return ServiceProcess.start(folder, Map.of("LOOMBOARD_DATABASE_URL", database.withPassword()));
    }

    private void execute(String sql) throws SQLException {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private long number(String sql) throws SQLException {
        try (Connection connection = connect();
                Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(sql)) {
            assertThat(result.next()).isTrue();
            return result.getLong(1);
        }
    }

    private Connection connect() throws SQLException {
        return DriverManager.getConnection(database.jdbc(), database.user(), database.password());
    }
}
