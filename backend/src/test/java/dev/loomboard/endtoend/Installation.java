package dev.loomboard.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.database.DatabaseUrl;
import dev.loomboard.kit.ServiceProcess;
import dev.loomboard.kit.TestDatabases;
import dev.loomboard.kit.Trees;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A service in a process of its own, a registered agent that reaches it over a {@link Wire}, and a small matrix: one
 * cell, one trial, 10 s of 50 requests a second.
 */
final class Installation implements AutoCloseable {

    static final String MATRIX = """
            schema: loomboard.matrix/1
            name: small
            title: A small matrix
            protocol: small/1
            jdks: [25]
            jdkLimit: 1
            servers:
              - {server: spring-mvc, variants: [virtual]}
            scenarios:
              - {workload: io, params: {delayMs: 20}, load: {profile: constant, rate: 50, seconds: 10}}
            trials: {scored: 1, diagnostic: 0}
            phases:
              warmup: [{seconds: 2}]
              settleSeconds: 0
            """;

    private static final JsonMapper JSON = JsonMapper.builder().build();

    private final Path folder = Files.createTempDirectory(Path.of("target").toAbsolutePath(), "installation-");
    private final DatabaseUrl database = TestDatabases.fresh();
    private final HttpClient http = HttpClient.newHttpClient();
    private ServiceProcess service;
    private String address;

    final Wire wire;
    final AgentProgram agent;
    final Browsing browser;
    final Person person;

    Installation(String name) throws Exception {
        Files.createDirectories(folder.resolve("agent"));
        agent = new AgentProgram(folder.resolve("agent"));
        service = start();
        address = service.awaitAddress();
        wire = new Wire(address);
        browser = new Browsing(name);
        person = Person.named("Ines", browser);
    }

    void setUp() throws Exception {
        setUp(MATRIX);
    }

    /** The first administrator, the machine and the matrix, all made on the pages; the matrix's page is shown then. */
    void setUp(String matrix) throws Exception {
        setUp(matrix, "");
    }

    /** @param servers what the line that registers the machine says besides, of its servers */
    void setUp(String matrix, String servers) throws Exception {
        person.becomesAdministrator(address + service.setupPath().orElseThrow());
        String line = person.asksForMachine("Small bench");
        agent.paste(line.replace(address, wire.url()) + servers);
        person.seesRegistered("Small bench");
        person.writesMatrix(matrix);
    }

    String address() {
        return address;
    }

    void killService() throws InterruptedException {
        service.kill();
    }

    /** Again on the same database, at another port. */
    void startServiceAgain() throws Exception {
        service = start();
        address = service.awaitAddress();
        wire.leadTo(address);
    }

    private ServiceProcess start() throws Exception {
        return ServiceProcess.start(folder, Map.of("LOOMBOARD_DATABASE_URL", database.withPassword()));
    }

    /** Writes a file into the agent's home; gives its path. */
    Path write(String file, String text) throws Exception {
        Path path = folder.resolve("agent").resolve(file);
        Files.createDirectories(path.getParent());
        return Files.writeString(path, text);
    }

    JsonNode json(String path) throws Exception {
        HttpResponse<String> response = http.send(
                HttpRequest.newBuilder(URI.create(address + path)).build(), HttpResponse.BodyHandlers.ofString());
        assertThat(response.statusCode()).as(path + ": " + response.body()).isEqualTo(200);
        return JSON.readTree(response.body());
    }

    /** Asks the API for scripts until the run is over; gives its last status. */
    JsonNode awaitEnd(String run, AgentProgram.Running running) throws Exception {
        long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(10); // gives up on what hangs
        JsonNode status = json("/api/v1/runs/" + run);
        while (status.path("finishedAt").isNull()) {
            assertThat(System.nanoTime())
                    .as("the run does not end: " + status + "\n" + running.log())
                    .isLessThan(deadline);
            assertThat(running.isAlive()).as(running.log()).isTrue();
            TimeUnit.MILLISECONDS.sleep(500);
            status = json("/api/v1/runs/" + run);
        }
        return status;
    }

    /** The rows of a query, each its columns as text. */
    List<List<String>> rows(String sql) throws Exception {
        try (Connection connection =
                        DriverManager.getConnection(database.jdbc(), database.user(), database.password());
                ResultSet result = connection.createStatement().executeQuery(sql)) {
            List<List<String>> rows = new ArrayList<>();
            int columns = result.getMetaData().getColumnCount();
            while (result.next()) {
                List<String> row = new ArrayList<>();
                for (int i = 1; i <= columns; i++) {
                    row.add(String.valueOf(result.getString(i)));
                }
                rows.add(row);
            }
            return rows;
        }
    }

    @Override
    public void close() throws Exception {
        try (AutoCloseable files = () -> Trees.delete(folder);
                AutoCloseable data = () -> TestDatabases.drop(database);
                ServiceProcess last = service;
                http;
                wire;
                browser;
                agent) {
            assertThat(last.lines()).as("what the service complained of").noneMatch(line -> line.contains(" ERROR "));
        }
    }
}
