package dev.loomboard.backup;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.cli.Commands;
import dev.loomboard.database.DatabaseUrl;
import dev.loomboard.kit.OneAtATime;
import dev.loomboard.kit.PlannedTrial;
import dev.loomboard.kit.Service;
import dev.loomboard.kit.StoreTest;
import dev.loomboard.kit.TestDatabases;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.context.ConfigurableApplicationContext;

/** A whole database into a file and back, by the commands. */
@OneAtATime
final class BackupTest extends StoreTest {

    private static final String ROWS = "select relname from pg_class where relnamespace = 'public'::regnamespace"
            + " and relkind = 'r' and relname <> 'flyway_schema_history' order by 1";
    private static final String SCHEMA = """
            select 'constraint ' || conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid) || convalidated
              from pg_constraint where connamespace = 'public'::regnamespace
            union all
            select 'trigger ' || tgname || ' ' || tgenabled::text from pg_trigger where not tgisinternal
            union all
            select 'sequence ' || sequencename || ' ' || coalesce(last_value, -1) from pg_sequences where schemaname = 'public'
            order by 1
            """;
    private static final String RELATIONS =
            "select relname from pg_class where relnamespace = 'public'::regnamespace order by 1";

    private final ByteArrayOutputStream said = new ByteArrayOutputStream();
    private final List<DatabaseUrl> targets = new ArrayList<>();

    @TempDir
    private Path folder = Path.of("");

    @AfterEach
    void dropTargets() {
        targets.forEach(TestDatabases::drop);
    }

    @Test
    void everything_comes_back_and_the_service_shows_the_same_pages() throws Exception {
        assertThat(run(url, "fill", "--series=40", "--points=4", "--trials=2", "--raw=16"))
                .as(said())
                .isZero();
        execute(PlannedTrial.random().sql());
        execute("update run set title = E'tab\\there, line\\nthere, back\\\\slash, \\u00e9 \\\\N'"
                + " where run_id = (select min(run_id) from run)");
        Path file = folder.resolve("all.backup");
        Map<String, String> pages = pages(
                url,
                () -> assertThat(run(url, "backup", "--to=" + folder.resolve("live")))
                        .as("beside a running service: " + said())
                        .isZero());

        assertThat(run(url, "backup", "--to=" + file)).as(said()).isZero();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        DatabaseUrl target = empty();
        assertThat(run(target, "restore", "--from=" + file)).as(said()).isZero();

        Map<String, String> rows = rows(url);
        assertThat(rows).hasSizeGreaterThan(30);
        assertThat(rows(target)).isEqualTo(rows);
        assertThat(texts(target, SCHEMA)).isEqualTo(texts(url, SCHEMA));
        assertThat(pages(target, () -> {})).isEqualTo(pages);
        assertThat(run(target, "restore", "--from=" + file)).isEqualTo(1);
        assertThat(said()).contains("restore: this database is not empty");
    }

    @Test
    void cut_or_changed_file_is_refused_and_the_database_stays_empty() throws Exception {
        Path good = folder.resolve("good");
        assertThat(run(url, "backup", "--to=" + good)).as(said()).isZero();
        byte[] bytes = Files.readAllBytes(good);
        Path cut = Files.write(folder.resolve("cut"), Arrays.copyOf(bytes, bytes.length - 100));
        refused(cut, "is not a whole backup");
        refused(
                changed(good, "tables/workspace.copy", text -> text.replace("main", "mine")),
                "is not what was written");
        refused(changed(good, "tables/workspace.copy", text -> null), "has no tables/workspace.copy");
        refused(changed(good, "manifest.json", text -> "{" + text), "manifest.json cannot be read");
        refused(changed(good, "manifest.json", text -> text.replace("backup/1", "backup/2")), "loomboard.backup/2");
        refused(changed(good, "manifest.json", text -> null), "is no backup of Loomboard");
        refused(folder.resolve("none"), "there is no file");
    }

    /** Noticed only when the schema is there already: it is taken away again. */
    @Test
    void restore_that_fails_half_way_leaves_the_database_empty() throws Exception {
        Path good = folder.resolve("good");
        assertThat(run(url, "backup", "--to=" + good)).as(said()).isZero();
        refused(
                changed(good, "manifest.json", text -> text.replaceAll("\"rows\" : \\d+", "\"rows\" : 77777")),
                "its manifest says 77777");
        refused(changed(good, "manifest.json", text -> text.replace("\"slug\"", "\"slugs\"")), "the database refused");
    }

    @Test
    void newer_schema_is_refused_and_an_older_one_is_brought_up() throws Exception {
        DatabaseUrl old = empty();
        Flyway.configure()
                .dataSource(old.jdbc(), old.user(), old.password())
                .locations("classpath:db/migration")
                .target("065")
                .load()
                .migrate();
        Path file = folder.resolve("old");
        assertThat(run(old, "backup", "--to=" + file)).as(said()).isZero();
        refused(changed(file, "manifest.json", text -> text.replace("\"065\"", "\"9065\"")), "does not know");

        DatabaseUrl target = empty();
        assertThat(run(target, "restore", "--from=" + file)).as(said()).isZero();
        assertThat(texts(target, "select max(version) from flyway_schema_history"))
                .isEqualTo(texts(url, "select max(version) from flyway_schema_history"));
        assertThat(texts(target, "select slug from workspace")).isEqualTo(texts(old, "select slug from workspace"));
    }

    @Test
    void backup_overwrites_nothing_and_leaves_nothing_half_made() throws Exception {
        Path taken = Files.writeString(folder.resolve("taken"), "mine");
        assertThat(run(url, "backup", "--to=" + taken)).isEqualTo(1);
        assertThat(said()).contains("exists already");
        assertThat(taken).hasContent("mine");
        assertThat(run(empty(), "backup", "--to=" + folder.resolve("nothing"))).isEqualTo(1);
        assertThat(said()).contains("holds no Loomboard");
        try (var files = Files.list(folder)) {
            assertThat(files).containsExactly(taken);
        }
    }

    private void refused(Path file, String why) throws SQLException {
        DatabaseUrl target = empty();
        said.reset();
        assertThat(run(target, "restore", "--from=" + file)).as(file.toString()).isEqualTo(1);
        assertThat(said()).contains("restore: ").contains(why);
        assertThat(texts(target, RELATIONS)).as("relations after: " + why).isEmpty();
    }

    /** The same archive with another content of one file; null: without it. */
    private Path changed(Path good, String name, UnaryOperator<String> change) throws IOException {
        Path copy = Files.createTempFile(folder, "changed", "");
        try (ZipFile from = new ZipFile(good.toFile());
                ZipOutputStream to = new ZipOutputStream(Files.newOutputStream(copy))) {
            for (ZipEntry entry : from.stream().toList()) {
                byte[] content = from.getInputStream(entry).readAllBytes();
                String then = entry.getName().equals(name) ? change.apply(new String(content, UTF_8)) : "";
                if (then == null) {
                    continue;
                }
                to.putNextEntry(new ZipEntry(entry.getName()));
                to.write(entry.getName().equals(name) ? then.getBytes(UTF_8) : content);
                to.closeEntry();
            }
        }
        return copy;
    }

    private DatabaseUrl empty() {
        DatabaseUrl database = TestDatabases.fresh();
        targets.add(database);
        try (Connection connection = connect(database);
                Statement statement = connection.createStatement()) {
            statement.execute("drop schema public cascade; create schema public");
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
        return database;
    }

    /** Of each table how many rows it has and a digest of them. */
    private static Map<String, String> rows(DatabaseUrl of) throws SQLException {
        Map<String, String> rows = new TreeMap<>();
        for (String table : texts(of, ROWS)) {
            rows.put(
                    table,
                    texts(
                                    of,
                                    "select count(*) || ' ' || coalesce(md5(string_agg(t::text, ',' order by t::text)), '') from \""
                                            + table + "\" t")
                            .getFirst());
        }
        return rows;
    }

    private static List<String> texts(DatabaseUrl of, String sql) throws SQLException {
        List<String> texts = new ArrayList<>();
        try (Connection connection = connect(of);
                Statement statement = connection.createStatement();
                ResultSet found = statement.executeQuery(sql)) {
            while (found.next()) {
                texts.add(found.getString(1));
            }
        }
        return texts;
    }

    private static Connection connect(DatabaseUrl url) throws SQLException {
        return DriverManager.getConnection(url.jdbc(), url.user(), url.password());
    }

    /** What a service on the database shows; meanwhile something else is done. */
    private static Map<String, String> pages(DatabaseUrl of, Runnable meanwhile) throws Exception {
        List<String> paths =
                new ArrayList<>(List.of("/leaderboard.json", "/runs.json", "/jdks.json", "/regressions.csv"));
        texts(of, "select external_id from run where visibility = 'public' order by 1 limit 1")
                .forEach(run -> paths.add("/runs/" + run));
        Map<String, String> pages = new TreeMap<>();
        try (ConfigurableApplicationContext service = Service.start(of);
                HttpClient client = HttpClient.newHttpClient()) {
            String base = "http://localhost:" + service.getEnvironment().getProperty("local.server.port");
            for (String path : paths) {
                HttpResponse<String> answer = client.send(
                        HttpRequest.newBuilder(URI.create(base + path)).build(), HttpResponse.BodyHandlers.ofString());
                assertThat(answer.statusCode()).as(path).isEqualTo(200);
                pages.put(path, answer.body());
            }
            meanwhile.run();
        }
        assertThat(pages).hasSize(5);
        return pages;
    }

    private int run(DatabaseUrl database, String... arguments) {
        PrintStream stream = new PrintStream(said, true, UTF_8);
        return Commands.run(List.of(arguments), stream, stream, "--loomboard.database.url=" + database.withPassword());
    }

    private String said() {
        return said.toString(UTF_8);
    }
}
