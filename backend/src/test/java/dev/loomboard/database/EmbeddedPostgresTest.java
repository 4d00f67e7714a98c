package dev.loomboard.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.loomboard.kernel.StartupRefusal;
import dev.loomboard.kit.Trees;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The embedded server as the service uses it: fully durable. */
final class EmbeddedPostgresTest {

    private static final Path PROGRAMS = Path.of("target/postgres-programs");

    private Path folder = Path.of("target");

    @BeforeEach
    void makeFolder() throws IOException {
        folder = Files.createTempDirectory(Path.of("target").toAbsolutePath(), "embedded-");
    }

    @AfterEach
    void deleteFolder() throws IOException {
        Trees.delete(folder);
    }

    @Test
    void server_is_durable_guarded_and_local() throws Exception {
        try (EmbeddedPostgres postgres = start();
                Connection connection = connect(postgres.url())) {
            for (String setting : new String[] {"fsync", "synchronous_commit", "full_page_writes", "data_checksums"}) {
                assertThat(one(connection, "show " + setting)).as(setting).isEqualTo("on");
            }
            assertThat(one(connection, "show listen_addresses")).isEqualTo("127.0.0.1");
            try (Connection administrator = administrator(postgres.url())) {
                assertThat(one(administrator, "show unix_socket_directories")).isEmpty();
                assertThat(one(administrator, "select string_agg(distinct auth_method, ' ') from pg_hba_file_rules"))
                        .isEqualTo("scram-sha-256");
            }
            for (String file : new String[] {"password", "postgres.log"}) {
                assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.resolve(file))))
                        .as(file)
                        .isEqualTo("rw-------");
            }
            DatabaseUrl url = postgres.url();
            DatabaseUrl guessed = new DatabaseUrl(url.host(), url.port(), url.database(), url.user(), "guess", null);
            assertThatThrownBy(() -> connect(guessed)).isInstanceOf(SQLException.class);
        }
    }

    @Test
    void port_that_another_program_took_is_not_the_last() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.ofLiteral("127.0.0.1"))) {
            AtomicInteger asked = new AtomicInteger();
            EmbeddedPostgres.FreePort ports =
                    () -> asked.incrementAndGet() == 1 ? taken.getLocalPort() : EmbeddedPostgres.freePort();
            try (EmbeddedPostgres postgres =
                            EmbeddedPostgres.start(folder, PROGRAMS, EmbeddedPostgres.Durability.FULL, ports);
                    Connection connection = connect(postgres.url())) {
                assertThat(postgres.url().port()).isNotEqualTo(taken.getLocalPort());
                assertThat(one(connection, "select 1")).isEqualTo("1");
            }
        }
    }

    @Test
    void server_of_another_process_is_found_while_it_runs() throws Exception {
        assertThat(EmbeddedPostgres.ofAnother(folder)).isEmpty();
        try (EmbeddedPostgres postgres = start()) {
            assertThat(EmbeddedPostgres.ofAnother(folder).map(DatabaseUrl::port))
                    .hasValue(postgres.url().port());
        }
        assertThat(EmbeddedPostgres.ofAnother(folder)).isEmpty();
    }

    @Test
    void data_survives_a_restart_and_the_server_ends_with_its_owner() throws Exception {
        try (EmbeddedPostgres postgres = start();
                Connection connection = connect(postgres.url())) {
            execute(connection, "create table note (text text)");
            execute(connection, "insert into note values ('kept')");
        }
        assertNothingRuns();
        try (EmbeddedPostgres postgres = start();
                Connection connection = connect(postgres.url())) {
            assertThat(one(connection, "select text from note")).isEqualTo("kept");
        }
    }

    @Test
    void server_that_is_killed_is_started_again_at_the_same_address_with_its_data() throws Exception {
        try (EmbeddedPostgres postgres = start()) {
            try (Connection connection = connect(postgres.url())) {
                execute(connection, "create table note (text text)");
                execute(connection, "insert into note values ('kept')");
            }
            for (int death = 0; death < 2; death++) {
                long pid = postmaster();
                ProcessHandle.of(pid).orElseThrow().destroyForcibly();
                awaitSuccessor(pid);
                try (Connection connection = connect(postgres.url())) {
                    assertThat(one(connection, "select text from note")).isEqualTo("kept");
                }
            }
        }
        assertNothingRuns();
    }

    private void assertNothingRuns() throws IOException {
        try (PostgresFolder left = PostgresFolder.locked(folder)) {
            assertThat(left.processes()).isEmpty();
        }
    }

    @Test
    void server_that_is_stopped_by_its_owner_stays_stopped() throws Exception {
        EmbeddedPostgres postgres = start();
        Process bystander = new ProcessBuilder("sleep", "600")
                .directory(folder.resolve("data").toFile())
                .start();
        postgres.close();
        try (EmbeddedPostgres next = start()) { // the folder's lock is free, and nobody else starts one
            assertThat(bystander.isAlive()).as("a shell in the data folder").isTrue();
            assertThat(next.url().port()).isNotEqualTo(postgres.url().port());
        } finally {
            bystander.destroy();
        }
    }

    private long postmaster() throws IOException {
        return Long.parseLong(Files.readAllLines(folder.resolve("data/postmaster.pid"))
                .getFirst()
                .strip());
    }

    private void awaitSuccessor(long pid) throws Exception {
        Path file = folder.resolve("data/postmaster.pid");
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(120);
        boolean ready = false;
        while (!ready) {
            assertThat(System.nanoTime()).as("no successor of " + pid).isLessThan(deadline);
            TimeUnit.MILLISECONDS.sleep(20);
            List<String> lines = Files.exists(file) ? readQuietly(file) : List.of();
            ready = lines.size() > 7
                    && !lines.getFirst().strip().equals(Long.toString(pid))
                    && lines.get(7).strip().equals("ready");
        }
    }

    /** The server may remove the file between two looks at it. */
    private static List<String> readQuietly(Path file) throws IOException {
        try {
            return Files.readAllLines(file);
        } catch (NoSuchFileException e) {
            return List.of();
        }
    }

    @Test
    void service_owns_its_database_and_may_nothing_else() throws Exception {
        try (EmbeddedPostgres postgres = start();
                Connection connection = connect(postgres.url())) {
            assertThat(one(
                            connection,
                            "select rolsuper or rolcreatedb or rolcreaterole or rolreplication or rolbypassrls"
                                    + " from pg_roles where rolname = current_user"))
                    .isEqualTo("f");
            execute(connection, "create table own (text text)");
            for (String forbidden : new String[] {
                "copy own from program 'id'",
                "copy own from '/etc/passwd'",
                "select pg_read_file('postgresql.conf')",
                "select rolpassword from pg_authid",
                "create role another superuser",
                "alter system set fsync = off"
            }) {
                assertThatThrownBy(() -> one(connection, forbidden))
                        .as(forbidden)
                        .isInstanceOf(SQLException.class)
                        .hasMessageContaining("denied");
            }
        }
    }

    /** Folders of earlier versions, in which the service was the superuser, are handed over at the next start. */
    @Test
    void what_the_superuser_made_before_belongs_to_the_service_after_a_start() throws Exception {
        try (EmbeddedPostgres postgres = start();
                Connection before = administrator(postgres.url())) {
            execute(before, "create table parent (id bigint generated always as identity primary key, n serial)");
            execute(before, "create table child (id bigint references parent)");
            execute(before, "create sequence alone");
            execute(before, "create view seen as select id from parent");
            execute(before, "create function one() returns int language sql as 'select 1'");
            execute(before, "alter database loomboard owner to loomboard");
        }
        try (EmbeddedPostgres postgres = start();
                Connection connection = connect(postgres.url())) {
            execute(connection, "insert into parent default values");
            execute(connection, "alter table child add column more text, add column other text");
            execute(connection, "drop view seen");
            execute(connection, "drop function one()");
            execute(connection, "drop sequence alone");
            execute(connection, "create table new_one ()");
            assertThat(one(
                            connection,
                            "select count(*) from pg_class where relnamespace = 'public'::regnamespace"
                                    + " and relkind in ('r', 'S') and relowner <> current_user::regrole"))
                    .isEqualTo("0");
        }
    }

    @Test
    void log_begins_anew_when_it_is_large_and_the_one_before_is_left() throws Exception {
        try (PostgresFolder held = PostgresFolder.locked(folder);
                OutputStream server = appending(held)) {
            held.rotateLog(5);
            server.write("first of all\n".getBytes(StandardCharsets.UTF_8));
            held.rotateLog(100);
            assertThat(held.olderLog()).doesNotExist();
            held.rotateLog(5);
            server.write("next\n".getBytes(StandardCharsets.UTF_8));
            assertThat(held.log()).hasContent("next\n");
            assertThat(held.olderLog()).hasContent("first of all\n");
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(held.olderLog())))
                    .isEqualTo("rw-------");
        }
    }

    /** As the server does it, whose output is appended. */
    private static OutputStream appending(PostgresFolder folder) throws IOException {
        Files.writeString(folder.log(), ""); // as an earlier version left it
        folder.guardLog();
        return Files.newOutputStream(folder.log(), StandardOpenOption.APPEND);
    }

    @Test
    void command_may_read_beside_a_running_service() throws Exception {
        try (EmbeddedPostgres postgres = start();
                Connection connection = connect(postgres.url())) {
            execute(connection, "create table note (text text)");
            execute(connection, "insert into note values ('seen')");
            try (OpenDatabase beside = OpenDatabase.besideAService("", folder);
                    Connection reading = connect(beside.url())) {
                assertThat(beside.embedded()).as("started for it").isNull();
                assertThat(one(reading, "select text from note")).isEqualTo("seen");
            }
            assertThat(one(connection, "select text from note")).isEqualTo("seen");
        }
    }

    @Test
    void folder_in_use_is_refused_in_one_sentence() throws Exception {
        try (EmbeddedPostgres postgres = start()) {
            assertThat(postgres.url().host()).isEqualTo("127.0.0.1");
            assertThatThrownBy(this::start)
                    .isInstanceOf(StartupRefusal.class)
                    .hasMessage("Another Loomboard is using the data folder " + folder + ".");
        }
    }

    @Test
    void folder_of_another_version_is_refused_and_left_alone() throws Exception {
        Path data = Files.createDirectory(folder.resolve("data"));
        Files.writeString(data.resolve("PG_VERSION"), "12\n");
        assertThatThrownBy(this::start)
                .isInstanceOf(StartupRefusal.class)
                .hasMessageContaining("written by PostgreSQL 12");
        assertThat(Files.readString(data.resolve("PG_VERSION"))).isEqualTo("12\n");
    }

    @Test
    void unusable_folder_is_refused_in_one_sentence() throws Exception {
        Path file = Files.writeString(folder.resolve("file"), "");
        assertThatThrownBy(
                        () -> EmbeddedPostgres.start(file.resolve("data"), PROGRAMS, EmbeddedPostgres.Durability.FULL))
                .isInstanceOf(StartupRefusal.class)
                .hasMessageStartingWith("The data folder " + file.resolve("data") + " cannot be used");
    }

    @Test
    void pid_given_to_another_program_is_not_stopped() throws Exception {
        start().close();
        Process stranger = new ProcessBuilder("sleep", "600").start();
        try {
            Files.writeString(
                    folder.resolve("data/postmaster.pid"), stranger.pid() + "\n" + folder.resolve("data") + "\n");
            try (EmbeddedPostgres postgres = start();
                    Connection connection = connect(postgres.url())) {
                assertThat(one(connection, "select 1")).isEqualTo("1");
            }
            assertThat(stranger.isAlive()).isTrue();
        } finally {
            stranger.destroy();
        }
    }

    private EmbeddedPostgres start() {
        return EmbeddedPostgres.start(folder, PROGRAMS, EmbeddedPostgres.Durability.FULL);
    }

    private Connection administrator(DatabaseUrl url) throws SQLException, IOException {
        return DriverManager.getConnection(
                url.jdbc(),
                "loomboard",
                Files.readString(folder.resolve("password")).strip());
    }

    private static Connection connect(DatabaseUrl url) throws SQLException {
        return DriverManager.getConnection(url.jdbc(), url.user(), url.password());
    }

    private static String one(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            rows.next();
            return rows.getString(1);
        }
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
