package dev.loomboard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.kit.ServiceProcess;
import dev.loomboard.kit.Trees;
import java.io.IOException;
import java.net.CookieManager;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jsoup.Jsoup;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Kills the service as the world does and looks at what is left. */
final class SurvivalTest {

    private static final String PASSWORD = "correct horse battery";

    /** Who asks until an outage is over would else be told to wait, when it lasts long. */
    private static final Map<String, String> AS_MANY_AS_COME = Map.of("LOOMBOARD_REQUESTS_PER_ADDRESS", "0");

    private Path folder = Path.of("target");

    @BeforeEach
    void makeFolder() throws IOException {
        folder = Files.createTempDirectory(Path.of("target").toAbsolutePath(), "survival-");
    }

    @AfterEach
    void deleteFolder() throws IOException {
        Trees.delete(folder);
    }

    @Test
    void killed_service_loses_nothing_and_leaves_no_orphan_behind() throws Exception {
        long orphan;
        try (ServiceProcess first = ServiceProcess.start(folder, Map.of())) {
            String address = first.awaitAddress();
            String setup = first.setupPath().orElseThrow();
            assertThat(post(address, setup, Map.of("email", "ann@example.org", "name", "Ann", "password", PASSWORD)))
                    .isEqualTo(303);
            first.kill();
            orphan = postmaster();
            assertThat(ProcessHandle.of(orphan))
                    .as("the killed service's PostgreSQL")
                    .isPresent();
        }
        try (ServiceProcess second = ServiceProcess.start(folder, Map.of())) {
            String address = second.awaitAddress();
            assertThat(runs(orphan)).as("the orphan").isFalse();
            assertThat(second.setupPath())
                    .as("a link although there is an administrator")
                    .isEmpty();
            assertThat(post(address, "/sign-in", Map.of("email", "ann@example.org", "password", PASSWORD)))
                    .isEqualTo(303);

            try (ServiceProcess third = ServiceProcess.start(folder, Map.of())) {
                assertThat(third.awaitEnd()).isNotZero();
                assertThat(String.join("\n", third.lines()))
                        .contains("Another Loomboard is using the data folder")
                        .doesNotContain("\tat ");
            }
            second.stop();
        }
        assertThat(standingIn(folder.resolve(".loomboard/data")))
                .as("processes left on the data")
                .isEmpty();
    }

    @Test
    void killed_postgresql_comes_back_by_itself_and_its_outage_is_told_once() throws Exception {
        try (ServiceProcess service = ServiceProcess.start(folder, AS_MANY_AS_COME)) {
            String address = service.awaitAddress();
            assertThat(status(address + "/runs.json")).isEqualTo(200);
            Path settings = folder.resolve(".loomboard/data/postgresql.conf");
            Path aside = folder.resolve("postgresql.conf");
            Files.move(settings, aside); // without them it cannot come back before its outage was seen
            ProcessHandle.of(postmaster()).orElseThrow().destroyForcibly();
            Set<Integer> answers = answersUntil(address + "/runs.json", 503);
            Files.move(aside, settings);
            answers.addAll(answersUntil(address + "/runs.json", 200));
            assertThat(answers).containsExactly(200, 503);
            service.stop(); // what it said is read whole only then
            assertThat(service.lines())
                    .filteredOn(line -> line.contains("The database cannot be reached"))
                    .hasSize(1);
            assertThat(service.lines())
                    .filteredOn(line -> line.contains("The database is reached again"))
                    .hasSize(1);
            assertThat(service.lines())
                    .filteredOn(line -> line.contains("ErrorAnswers"))
                    .isEmpty();
        }
    }

    @Test
    void killed_connection_is_no_failure_of_the_service() throws Exception {
        try (ServiceProcess service = ServiceProcess.start(folder, AS_MANY_AS_COME)) {
            String address = service.awaitAddress();
            assertThat(status(address + "/runs.json")).isEqualTo(200);
            Set<Integer> answers = new ConcurrentSkipListSet<>();
            AtomicBoolean over = new AtomicBoolean();
            List<Thread> readers = IntStream.range(0, 8)
                    .mapToObj(i -> Thread.ofVirtual().start(() -> {
                        try (HttpClient reader = HttpClient.newHttpClient()) {
                            while (!over.get()) {
                                answers.add(statusOrCut(reader, address + "/runs.json"));
                            }
                        }
                    }))
                    .toList();
            for (int death = 0; death < 3; death++) {
                ProcessHandle.of(backend()).ifPresent(ProcessHandle::destroyForcibly);
                answers.addAll(answersUntil(address + "/runs.json", 200));
            }
            over.set(true);
            for (Thread reader : readers) {
                reader.join();
            }
            assertThat(answers).isSubsetOf(200, 503);
            service.stop();
        }
    }

    /** Every answer up to the wanted one. */
    private static Set<Integer> answersUntil(String address, int wanted) throws Exception {
        Set<Integer> answers = new TreeSet<>();
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(120);
        int answer = status(address);
        for (answers.add(answer); answer != wanted; answers.add(answer)) {
            assertThat(System.nanoTime()).as("no %s but %s", wanted, answers).isLessThan(deadline);
            answer = status(address);
        }
        return answers;
    }

    private static int statusOrCut(HttpClient reader, String address) {
        try {
            return status(reader, address);
        } catch (Exception e) {
            return -1;
        }
    }

    /** A process of PostgreSQL that serves a connection of the service's pool. */
    private long backend() throws Exception {
        Path data = folder.resolve(".loomboard/data/postmaster.pid");
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(120);
        while (true) { // after the one before was killed, PostgreSQL takes none for a moment
            String url = "jdbc:postgresql://127.0.0.1:"
                    + Files.readAllLines(data).get(3).strip() + "/loomboard";
            String password =
                    Files.readString(folder.resolve(".loomboard/password")).strip();
            try (Connection connection = DriverManager.getConnection(url, "loomboard", password);
                    Statement statement = connection.createStatement();
                    ResultSet rows = statement.executeQuery("select pid from pg_stat_activity"
                            + " where application_name = 'loomboard' and query not like 'listen%' limit 1")) {
                if (rows.next()) {
                    return rows.getLong(1);
                }
            } catch (SQLException e) {
                assertThat(System.nanoTime()).as(e.getMessage()).isLessThan(deadline);
            }
        }
    }

    @Test
    void stopped_service_ends_in_order_and_says_nothing_of_errors() throws Exception {
        try (ServiceProcess service = ServiceProcess.start(folder, Map.of())) {
            String address = service.awaitAddress();
            assertThat(status(address + "/leaderboard")).isEqualTo(200);
            int before = service.lines().size();
            service.stop();
            List<String> said = service.lines();
            assertThat(said.subList(before, said.size()))
                    .filteredOn(line -> !line.contains("Thread starvation or clock leap detected")) // of a busy machine
                    .noneMatch(line -> line.contains("ERROR") || line.contains("WARN") || line.contains("\tat "));
        }
        assertThat(standingIn(folder.resolve(".loomboard/data")))
                .as("processes left on the data")
                .isEmpty();
    }

    @Test
    void taken_port_is_one_sentence_and_leaves_nothing() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"));
                ServiceProcess service = ServiceProcess.start(
                        folder, Map.of("LOOMBOARD_PORT", Integer.toString(taken.getLocalPort())))) {
            String sentence = "Port " + taken.getLocalPort() + " is taken by another program.";
            service.awaitLine(sentence); // its start is as slow as the machine is busy
            assertThat(service.awaitEnd()).isNotZero();
            assertThat(String.join("\n", service.lines()))
                    .contains(sentence)
                    .contains("LOOMBOARD_PORT")
                    .doesNotContain("\tat ");
        }
        assertThat(standingIn(folder.resolve(".loomboard/data")))
                .as("processes left on the data")
                .isEmpty();
    }

    private long postmaster() throws IOException {
        return Long.parseLong(Files.readAllLines(folder.resolve(".loomboard/data/postmaster.pid"))
                .getFirst()
                .strip());
    }

    /** Fetches the form at {@code path}, fills it in and sends it; gives the status of the answer. */
    private static int post(String address, String path, Map<String, String> fields) throws Exception {
        try (HttpClient browser =
                HttpClient.newBuilder().cookieHandler(new CookieManager()).build()) {
            URI uri = URI.create(address + path);
            String form = browser.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString())
                    .body();
            String token = Jsoup.parse(form).select("main input[name=_csrf]").attr("value");
            String body = "_csrf=" + token
                    + fields.entrySet().stream()
                            .map(e -> "&" + e.getKey() + "=" + URLEncoder.encode(e.getValue(), StandardCharsets.UTF_8))
                            .collect(Collectors.joining());
            HttpRequest request = HttpRequest.newBuilder(uri)
                    .header("Content-Type", "application/x-www-form-urlencoded")
                    .POST(HttpRequest.BodyPublishers.ofString(body))
                    .build();
            return browser.send(request, HttpResponse.BodyHandlers.ofString()).statusCode();
        }
    }

    private static int status(String address) throws Exception {
        try (HttpClient browser = HttpClient.newHttpClient()) {
            return status(browser, address);
        }
    }

    private static int status(HttpClient browser, String address) throws Exception {
        return browser.send(HttpRequest.newBuilder(URI.create(address)).build(), HttpResponse.BodyHandlers.discarding())
                .statusCode();
    }

    private static List<Long> standingIn(Path data) {
        try (Stream<ProcessHandle> all = ProcessHandle.allProcesses()) {
            return all.map(ProcessHandle::pid)
                    .filter(pid -> standsIn(pid, data))
                    .toList();
        }
    }

    /** A process that ended is still there, as a zombie, until whoever is its parent asks how. */
    private static boolean runs(long pid) {
        try {
            String stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
            return stat.charAt(stat.lastIndexOf(')') + 2) != 'Z';
        } catch (IOException e) {
            return false; // gone
        }
    }

    private static boolean standsIn(long pid, Path folder) {
        try {
            return Files.isSameFile(Path.of("/proc/" + pid + "/cwd"), folder);
        } catch (IOException e) {
            return false; // gone meanwhile, or another user's
        }
    }
}
