package dev.loomboard.kit;

import dev.loomboard.database.DatabaseUrl;
import dev.loomboard.database.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.atomic.AtomicInteger;
import org.flywaydb.core.Flyway;
import org.testcontainers.postgresql.PostgreSQLContainer;

/**
 * One PostgreSQL per JVM, migrated once; every test class gets a copy of that, which takes tens of milliseconds.
 * {@link TestServer} says which server that is.
 */
public final class TestDatabases {

    private static final String IMAGE = "postgres:18";
    private static final String TEMPLATE = "loomboard_template";
    private static final AtomicInteger NUMBER = new AtomicInteger();

    private final DatabaseUrl server;

    private TestDatabases(DatabaseUrl server) {
        this.server = server;
        execute("create database " + TEMPLATE);
        DatabaseUrl template = server.withDatabase(TEMPLATE);
        Flyway.configure()
                .dataSource(template.jdbc(), template.user(), template.password())
                .locations("classpath:db/migration")
                .load()
                .migrate();
    }

    private static final class Shared {
        static final TestDatabases INSTANCE = new TestDatabases(start());
    }

    /** A database of its own with the newest schema and nothing in it but what the migrations put there. */
    public static DatabaseUrl fresh() {
        TestDatabases shared = Shared.INSTANCE;
        String name = "test_" + NUMBER.incrementAndGet();
        shared.execute("create database " + name + " template " + TEMPLATE);
        return shared.server.withDatabase(name);
    }

    public static void drop(DatabaseUrl url) {
        Shared.INSTANCE.execute("drop database if exists " + url.database() + " with (force)");
    }

    private static DatabaseUrl start() {
        return switch (TestServer.chosen(System.getenv(), () -> ContainerEngine.has(IMAGE))) {
            case CONTAINER -> container();
            case EMBEDDED -> embedded();
        };
    }

    @SuppressWarnings("resource") // lives as long as the JVM; Ryuk or the hook below ends it
    private static DatabaseUrl container() {
        PostgreSQLContainer container =
                new PostgreSQLContainer(IMAGE).withCommand("postgres", "-c", "fsync=off", "-c", "max_connections=200");
        container.start();
        Runtime.getRuntime().addShutdownHook(new Thread(container::stop));
        return new DatabaseUrl(
                container.getHost(),
                container.getMappedPort(PostgreSQLContainer.POSTGRESQL_PORT),
                container.getDatabaseName(),
                container.getUsername(),
                container.getPassword(),
                null);
    }

    /** Under target, made anew each time; the unpacked programs stay until `clean`. */
    private static DatabaseUrl embedded() {
        try {
            Path target = Path.of("target").toAbsolutePath();
            Files.createDirectories(target);
            Path data = Files.createTempDirectory(target, "test-postgres-");
            EmbeddedPostgres postgres =
                    EmbeddedPostgres.start(data, target.resolve("postgres-programs"), EmbeddedPostgres.Durability.NONE);
            Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(postgres, data)));
            return postgres.url();
        } catch (IOException e) {
            throw new IllegalStateException("no embedded PostgreSQL for the tests", e);
        }
    }

    private static void stop(EmbeddedPostgres postgres, Path data) {
        try {
            postgres.close();
            Trees.delete(data);
        } catch (IOException e) {
            System.err.println("The tests' PostgreSQL in " + data + " was left behind: " + e);
        }
    }

    private void execute(String sql) {
        try (Connection connection = DriverManager.getConnection(server.jdbc(), server.user(), server.password());
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException("failed: " + sql, e);
        }
    }
}
