package dev.loomboard;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.catalog.Metric;
import dev.loomboard.catalog.Metrics;
import dev.loomboard.database.DatabaseUrl;
import dev.loomboard.kit.Attacker;
import dev.loomboard.kit.PlannedTrial;
import dev.loomboard.kit.ServiceProcess;
import dev.loomboard.kit.TestDatabases;
import dev.loomboard.kit.Trees;
import dev.loomboard.web.FrontEnd;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * What strangers and one agent can do to a service of half a gigabyte of heap and 700 descriptors: everybody is answered,
 * and the service stands. One process for all tests; the first {@code OutOfMemoryError} would end it.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class AbuseTest {

    private static final JsonMapper JSON = JsonMapper.shared();
    /** Of one who waits for an answer that never comes; nothing is measured by it. */
    private static final Duration PATIENCE = Duration.ofSeconds(120);

    private static final List<String> FEW_DESCRIPTORS = List.of("sh", "-c", "ulimit -n 700 && exec \"$@\"", "sh");
    private static final List<String> IMPATIENT = List.of(
            "-Dloomboard.connections.idle=20s",
            "-Dloomboard.connections.body=60s",
            "-Dloomboard.connections.write=20s");

    private final DatabaseUrl database = TestDatabases.fresh();
    private final PlannedTrial plan = PlannedTrial.random();
    private final ExecutorService people = Executors.newVirtualThreadPerTaskExecutor();
    private final Path folder;
    private final ServiceProcess service;
    private String address = "";

    AbuseTest() throws IOException {
        folder = Files.createTempDirectory(Path.of("target").toAbsolutePath(), "abuse-");
        service = ServiceProcess.start(
                folder, Map.of("LOOMBOARD_DATABASE_URL", database.withPassword()), FEW_DESCRIPTORS, IMPATIENT);
    }

    @BeforeAll
    void start() throws Exception {
        address = service.awaitAddress();
        execute(plan.sql());
        for (String table : List.of("machine", "matrix", "run")) {
            execute("update " + table + " set visibility = 'public'");
        }
    }

    @AfterEach
    void service_stands() throws Exception {
        assertThat(service.isAlive()).as("the service:\n%s", lastWords()).isTrue();
        assertThat(service.lines())
                .noneMatch(line -> line.contains("IllegalReferenceCount")
                        || line.contains("LEAK")
                        || line.contains("OutOfDirectMemory"));
        assertThat(get("/leaderboard")).as("the board, afterwards").isEqualTo(200);
    }

    @AfterAll
    void end() throws Exception {
        people.close();
        service.close();
        TestDatabases.drop(database);
        Trees.delete(folder);
    }

    /** Twice as large as a trial may be by now: it may have been stored before. More would take a slow machine too long for one query. */
    @Test
    void largest_trial_is_shown() throws Exception {
        String metrics = Metrics.all().list().stream()
                .filter(Metric::sampled)
                .map(metric -> "'" + metric.name() + "'")
                .collect(Collectors.joining(","));
        execute("""
                insert into sample_chunk (trial_id, metric, seq, at_ns, value)
                select t.trial_id, m.metric, 1 + c.seq, c.at_ns, c.value
                  from trial t, unnest(array[%s]) as m (metric),
                       (select seq, array_agg((seq * 20000 + i) * 1000000000::bigint order by i) as at_ns,
                               array_agg((seq * 20000 + i)::float8 order by i) as value
                          from generate_series(0, 4) seq, generate_series(0, 19999) i group by seq) c""".formatted(metrics));
        execute("""
                insert into load_window (trial_id, at_ns, phase, step, intended, sent, completed, failed, service, response, lag,
                                         response_p50_ns, response_p99_ns, service_p50_ns, service_p99_ns)
                select trial_id, i * 1000000000::bigint, 'measure', 0, 9, 9, 9, 0, '\\x00', '\\x00', '\\x00', 1000000, 1000000, 1, 1
                  from trial, generate_series(1, 100000) i""");
        assertThat(get("/trials/" + plan.trial()))
                .as("one alone; the service said:\n%s", lastWords())
                .isEqualTo(200);
        List<Integer> answers = together(Stream.of("", ".json", ".csv", "", ".json", ".csv")
                .map(twin -> people.submit(() -> get("/trials/" + plan.trial() + twin))));
        assertThat(answers)
                .as("answers; the service said:\n%s", lastWords())
                .contains(200)
                .allMatch(status -> status == 200 || status == 503);
    }

    @Test
    void sixty_full_uploads_are_all_answered() throws Exception {
        byte[] full = fullBatch();
        HttpClient agents =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
        try (agents) {
            HttpRequest upload = HttpRequest.newBuilder(URI.create(address + plan.path(0)))
                    .timeout(PATIENCE)
                    .header("Authorization", "Bearer " + plan.agentKey().value())
                    .header("Content-Type", "application/json")
                    .header("Content-Encoding", "gzip")
                    .PUT(HttpRequest.BodyPublishers.ofByteArray(full))
                    .build();
            List<CompletableFuture<HttpResponse<Void>>> sent = IntStream.range(0, 60)
                    .mapToObj(i -> agents.sendAsync(upload, HttpResponse.BodyHandlers.discarding()))
                    .toList();
            List<HttpResponse<Void>> answers =
                    sent.stream().map(CompletableFuture::join).toList();
            assertThat(answers)
                    .as("answers; the service said:\n%s", lastWords())
                    .extracting(HttpResponse::statusCode)
                    .contains(204)
                    .containsOnly(204, 503);
            assertThat(answers)
                    .filteredOn(answer -> answer.statusCode() == 503)
                    .allMatch(
                            answer -> answer.headers().firstValue("Retry-After").isPresent());
        }
    }

    /** From an address of its own: others are asked for at the end of each test. */
    @Test
    void flood_of_one_address_is_told_to_wait() throws Exception {
        HttpClient flood = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .localAddress(InetAddress.ofLiteral("127.0.0.9"))
                .build();
        try (flood) {
            Optional<HttpResponse<Void>> refused = Optional.empty();
            for (int i = 0; i < 600 && refused.isEmpty(); i++) {
                refused = thirtyTwoAtOnce(flood, "/api/health").stream()
                        .filter(answer -> answer.statusCode() == 429)
                        .findFirst();
            }
            assertThat(refused).as("an answer 429").isPresent();
            assertThat(refused.orElseThrow().headers().firstValueAsLong("Retry-After"))
                    .hasValue(1);
            assertThat(flood.send(request(FrontEnd.file("css/base.css")), HttpResponse.BodyHandlers.discarding())
                            .statusCode())
                    .as("files of the front end")
                    .isEqualTo(200);
        }
    }

    /** One after the other might be no more on a busy machine than the service allows a second. */
    private List<HttpResponse<Void>> thirtyTwoAtOnce(HttpClient flood, String path) {
        List<CompletableFuture<HttpResponse<Void>>> sent = IntStream.range(0, 32)
                .mapToObj(i -> flood.sendAsync(request(path), HttpResponse.BodyHandlers.discarding()))
                .toList();
        return sent.stream().map(CompletableFuture::join).toList();
    }

    private HttpRequest request(String path) {
        return HttpRequest.newBuilder(URI.create(address.replace("localhost", "127.0.0.1") + path))
                .timeout(PATIENCE)
                .build();
    }

    @Test
    void endless_forms_are_cut_off() throws Exception {
        String head = "POST /sign-in HTTP/1.1\r\nHost: x\r\n"
                + "Content-Type: application/x-www-form-urlencoded\r\nTransfer-Encoding: chunked\r\n\r\n";
        byte[] piece = ("10000\r\na=" + "b".repeat(0x10000 - 2) + "\r\n").getBytes(US_ASCII);
        try (Attacker one = new Attacker(address, "127.0.0.1")) {
            one.send(head.getBytes(US_ASCII));
            one.send(piece);
            one.send(piece);
            one.send("0\r\n\r\n".getBytes(US_ASCII));
            assertThat(one.status()).as("128 KiB, which end").isEqualTo(413);
        }
        List<Attacker> open = attackers(40, "127.0.0.1", head);
        try {
            List<Integer> answers =
                    together(open.stream().map(one -> people.submit(() -> one.sendUntilAnswered(piece, 30 << 4))));
            assertThat(answers)
                    .as("answers; the service said:\n%s", lastWords())
                    .containsOnly(413);
            assertThat(get("/leaderboard")).as("the board, meanwhile").isEqualTo(200);
        } finally {
            open.forEach(Attacker::close);
        }
    }

    @Test
    void body_of_a_path_that_does_not_exist_stays_unread() throws Exception {
        try (Attacker one = new Attacker(address, "127.0.0.1")) {
            one.send(("POST /nothing HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-www-form-urlencoded\r\n"
                            + "Transfer-Encoding: chunked\r\n\r\n")
                    .getBytes(US_ASCII));
            assertThat(one.status()).isEqualTo(404); // although it never comes
        }
    }

    @Test
    void idle_and_slow_connections_keep_nobody_out_and_end() throws Exception {
        String body = "Host: x\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 10000\r\n\r\n";
        List<Attacker> idle = attackers(700, "127.0.0.2", "");
        List<Attacker> slow = new ArrayList<>();
        slow.addAll(attackers(60, "127.0.0.3", "GET /leaderboard HTTP/1.1\r\nX-Slow: "));
        slow.addAll(attackers(20, "127.0.0.4", "POST /sign-in HTTP/1.1\r\n" + body));
        slow.addAll(attackers(20, "127.0.0.5", "POST /nothing HTTP/1.1\r\n" + body));
        try {
            slow.forEach(one -> people.submit(one::trickle));
            for (int i = 0; i < 20; i++) {
                assertThat(get(i % 2 == 0 ? "/leaderboard" : "/runs")).isEqualTo(200);
            }
            assertThat(together(Stream.concat(idle.stream(), slow.stream())
                            .map(one -> people.submit(one::isClosedByTheService))))
                    .containsOnly(true);
        } finally {
            idle.forEach(Attacker::close);
            slow.forEach(Attacker::close);
        }
    }

    /** A hundred of 8 MiB are more than the whole heap, and more than the memory for the network. */
    @Test
    void slow_readers_of_the_largest_file_hold_little_and_end() throws Exception {
        execute("""
                insert into artefact (trial_id, name, workspace_id, sha256, bytes, content)
                select t.trial_id, 'jvm.log', r.workspace_id, '\\x00', 8 << 20, convert_to(repeat('12345678', 1 << 20), 'UTF8')
                  from trial t join run r using (run_id)""");
        String file = "/trials/" + plan.trial() + "/artefacts/jvm.log";
        List<Attacker> readers = new ArrayList<>();
        try {
            // One after the other: on a busy machine a hundred at once wait longer for the database than they may.
            while (readers.size() < 100) {
                readers.addAll(attackers(1, "127.0.0.6", "GET " + file + " HTTP/1.1\r\nHost: x\r\n\r\n"));
                assertThat(readers.getLast().status())
                        .as("the service:\n%s", lastWords())
                        .isEqualTo(200);
            }
            for (int i = 0; i < 20; i++) {
                assertThat(get(i % 2 == 0 ? "/leaderboard" : "/runs")).isEqualTo(200);
            }
            assertThat(read(file)).as("what somebody else reads meanwhile").hasSize(8 << 20);
            assertThat(together(readers.stream().map(one -> people.submit(one::isCutOff))))
                    .containsOnly(true);
        } finally {
            readers.forEach(Attacker::close);
        }
    }

    private List<Attacker> attackers(int number, String from, String first) throws IOException {
        List<Attacker> all = new ArrayList<>();
        for (int i = 0; i < number; i++) {
            Attacker one = new Attacker(address, from);
            one.send(first.getBytes(US_ASCII));
            all.add(one);
        }
        return all;
    }

    /** A batch of as many numbers as the contract allows, filled up with spaces to what it allows unpacked. */
    private byte[] fullBatch() throws IOException {
        ObjectNode batch = (ObjectNode) JSON.readTree(Files.readString(Path.of("api/examples/batch-first.json")));
        batch.put("trialId", plan.trial());
        ObjectNode ticks = batch.putObject("ticks");
        ArrayNode at = ticks.putArray("atNs");
        ArrayNode late = ticks.putArray("lateNs");
        ArrayNode zeros = JSON.createArrayNode();
        for (int i = 0; i < 20_000; i++) {
            at.add(i * 1_000_000_000L);
            late.add(0);
            zeros.add(0);
        }
        ObjectNode columns = ticks.putObject("columns");
        Metrics.all().list().stream().filter(Metric::sampled).forEach(metric -> columns.set(metric.name(), zeros));
        byte[] text = JSON.writeValueAsBytes(batch);
        byte[] spaces = new byte[(32 << 20) - text.length];
        Arrays.fill(spaces, (byte) ' ');
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
            gzip.write(text);
            gzip.write(spaces);
        }
        return packed.toByteArray();
    }

    private int get(String path) throws IOException, InterruptedException {
        try (HttpClient visitor = HttpClient.newHttpClient()) {
            HttpRequest request = HttpRequest.newBuilder(URI.create(address + path))
                    .timeout(PATIENCE)
                    .build();
            return visitor.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
        }
    }

    private byte[] read(String path) throws IOException, InterruptedException {
        try (HttpClient visitor = HttpClient.newHttpClient()) {
            return visitor.send(request(path), HttpResponse.BodyHandlers.ofByteArray())
                    .body();
        }
    }

    private static <T> List<T> together(Stream<Future<T>> tasks) throws Exception {
        List<T> results = new ArrayList<>();
        for (Future<T> task : tasks.toList()) {
            results.add(task.get());
        }
        return results;
    }

    private String lastWords() {
        List<String> lines = service.lines();
        return String.join("\n", lines.subList(Math.max(0, lines.size() - 60), lines.size()));
    }

    private void execute(String sql) throws SQLException {
        try (Connection connection =
                        DriverManager.getConnection(database.jdbc(), database.user(), database.password());
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
