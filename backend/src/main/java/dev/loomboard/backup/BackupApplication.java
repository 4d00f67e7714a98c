package dev.loomboard.backup;

import dev.loomboard.database.DatabaseUrl;
import dev.loomboard.database.OpenDatabase;
import dev.loomboard.kernel.StartupRefusal;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.MigrationInfo;
import org.flywaydb.core.api.MigrationVersion;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.Environment;

/** The commands {@code backup} and {@code restore}. They need of the service only its settings, for the database's address. */
public class BackupApplication {

    private static final int REFUSED = 1;

    /** What may come of the file, the database and the way to it. */
    private interface Work {
        void with(Environment settings) throws IOException, SQLException;
    }

    /**
     * @param settings as on a command line, such as {@code --loomboard.database.url=…}; absent: those of the environment
     * @return the exit code: 0 done, 1 refused or failed, with nothing left behind
     */
    public static int backup(Path to, PrintStream out, PrintStream err, String... settings) {
        return run("backup", err, settings, environment -> {
            try (OpenDatabase database = OpenDatabase.besideAService(url(environment), data(environment))) {
                backup(database.url(), to, out);
            }
        });
    }

    /** The database must be empty; as {@link #backup(Path, PrintStream, PrintStream, String...)} else. */
    public static int restore(Path from, PrintStream out, PrintStream err, String... settings) {
        return run("restore", err, settings, environment -> {
            try (BackupReader backup = BackupReader.open(from)) {
                backup.check();
                try (OpenDatabase database = OpenDatabase.open(url(environment), data(environment))) {
                    restore(backup, database.url(), out);
                }
            }
        });
    }

    private static int run(String command, PrintStream err, String[] settings, Work work) {
        SpringApplication program = new SpringApplication(BackupApplication.class);
        program.setWebApplicationType(WebApplicationType.NONE);
        try (ConfigurableApplicationContext context = program.run(settings)) {
            work.with(context.getEnvironment());
            return 0;
        } catch (BackupRefusal e) {
            err.println(command + ": " + e.getMessage() + ".");
        } catch (StartupRefusal e) {
            err.println(command + ": " + e.getMessage() + " " + e.mend());
        } catch (IOException e) {
            err.println(
                    command + ": a file cannot be read or written: " + e.getMessage() + ". Nothing was left behind.");
        } catch (SQLException e) {
            err.println(command + ": the database refused: " + e.getMessage() + ". Nothing was left behind.");
        }
        return REFUSED;
    }

    private static void backup(DatabaseUrl url, Path to, PrintStream out) throws IOException, SQLException {
        try (DatabaseCopy database = DatabaseCopy.reading(url);
                BackupWriter backup = BackupWriter.create(to)) {
            String schema = database.schema();
            List<Manifest.Table> tables = new ArrayList<>();
            for (Map.Entry<String, List<String>> table : database.tables().entrySet()) {
                String name = table.getKey();
                List<String> columns = table.getValue();
                tables.add(backup.add(name, columns, rows -> database.read(name, columns, rows)));
            }
            Manifest manifest =
                    new Manifest(Manifest.FORMAT, Instant.now().toString(), schema, tables, database.sequences());
            backup.finish(manifest);
            out.println(words(manifest) + " written to " + to);
        }
    }

    private static void restore(BackupReader backup, DatabaseUrl url, PrintStream out)
            throws IOException, SQLException {
        Manifest manifest = backup.manifest();
        try (DatabaseCopy database = DatabaseCopy.writing(url)) {
            if (!database.empty()) {
                throw new BackupRefusal(
                        "this database is not empty: name an empty folder in LOOMBOARD_DATA, or an empty"
                                + " database in LOOMBOARD_DATABASE_URL");
            }
        }
        MigrationVersion version = MigrationVersion.fromVersion(manifest.schema());
        Flyway newest = flyway(url, MigrationVersion.LATEST);
        if (Stream.of(newest.info().all()).map(MigrationInfo::getVersion).noneMatch(version::equals)) {
            throw new BackupRefusal("the backup is of schema " + manifest.schema()
                    + ", which this version does not know: restore it by the version that made it, or a later one");
        }
        boolean whole = false;
        try {
            flyway(url, version).migrate();
            write(backup, url);
            newest.migrate();
            whole = true;
        } finally {
            if (!whole) {
                newest.clean();
            }
        }
        out.println(words(manifest) + " restored");
    }

    private static void write(BackupReader backup, DatabaseUrl url) throws IOException, SQLException {
        Manifest manifest = backup.manifest();
        try (DatabaseCopy database = DatabaseCopy.writing(url)) {
            Map<String, List<String>> tables = database.tables();
            if (!tables.keySet().equals(names(manifest))) {
                throw new BackupRefusal(
                        "the backup has other tables than schema " + manifest.schema() + " of this version");
            }
            List<String> back = database.open(tables);
            for (Manifest.Table table : manifest.tables()) {
                try (InputStream content = backup.open(table)) {
                    long rows = database.write(table.name(), table.columns(), content);
                    if (rows != table.rows()) {
                        throw new BackupRefusal("the backup was changed: " + table.file() + " has " + rows
                                + " rows, its manifest says " + table.rows());
                    }
                }
            }
            for (Manifest.Sequence sequence : manifest.sequences()) {
                database.set(sequence);
            }
            for (String statement : back) {
                database.execute(statement);
            }
            database.commit();
            database.execute("analyze");
            database.commit();
        }
    }

    private static Flyway flyway(DatabaseUrl url, MigrationVersion target) {
        return Flyway.configure()
                .dataSource(url.jdbc(), url.user(), url.password())
                .locations("classpath:db/migration")
                .target(target)
                .cleanDisabled(false) // only ever of a database that was empty before
                .load();
    }

    private static Set<String> names(Manifest manifest) {
        return manifest.tables().stream().map(Manifest.Table::name).collect(Collectors.toSet());
    }

    private static String words(Manifest manifest) {
        return "%d rows of %d tables, schema %s,"
                .formatted(manifest.rows(), manifest.tables().size(), manifest.schema());
    }

    private static String url(Environment settings) {
        return settings.getProperty("loomboard.database.url", "");
    }

    private static Path data(Environment settings) {
        return Path.of(settings.getProperty("loomboard.database.data", ".loomboard"));
    }
}
