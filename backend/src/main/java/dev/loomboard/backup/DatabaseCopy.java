package dev.loomboard.backup;

import dev.loomboard.database.DatabaseUrl;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyManager;

/** All tables of a database, in one transaction. Rows go through as PostgreSQL writes them; none is ever held whole. */
final class DatabaseCopy implements AutoCloseable {

    /** Flyway's own record belongs to the database in which it migrated. */
    private static final String TABLES = """
            select c.relname
              from pg_class c
             where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relname <> 'flyway_schema_history'
             order by 1
            """;

    private static final String COLUMNS = """
            select a.attname
              from pg_attribute a
             where a.attrelid = format('public.%I', ?::text)::regclass and a.attnum > 0 and not a.attisdropped
               and a.attgenerated = ''
             order by a.attnum
            """;

    private static final String FOREIGN_KEYS = """
            select format('alter table %s drop constraint %I', conrelid::regclass, conname),
                   format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid))
              from pg_constraint
             where contype = 'f' and connamespace = 'public'::regnamespace
             order by 1
            """;

    private final Connection connection;

    private DatabaseCopy(Connection connection) {
        this.connection = connection;
    }

    /** As the database is in this moment, however long the reading takes and whatever is written during it. */
    static DatabaseCopy reading(DatabaseUrl url) throws SQLException {
        return of(url, true);
    }

    static DatabaseCopy writing(DatabaseUrl url) throws SQLException {
        return of(url, false);
    }

    private static DatabaseCopy of(DatabaseUrl url, boolean readOnly) throws SQLException {
        Connection connection = DriverManager.getConnection(url.jdbc(), url.user(), url.password());
        try {
            connection.setReadOnly(readOnly);
            connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
            connection.setAutoCommit(false);
            DatabaseCopy copy = new DatabaseCopy(connection);
            // What the text of values depends on, and that nobody ends it half way.
            copy.execute("set datestyle = 'ISO'; set intervalstyle = 'postgres'; set timezone = 'UTC';"
                    + " set bytea_output = 'hex'; set extra_float_digits = 1; set statement_timeout = 0");
            return copy;
        } catch (SQLException e) {
            connection.close();
            throw e;
        }
    }

    /** Flyway's version of the schema. */
    String schema() throws SQLException {
        if (one("select to_regclass('public.flyway_schema_history')::text") == null) {
            throw new BackupRefusal("this database holds no Loomboard: start the service on it once");
        }
        return String.valueOf(
                one("select version from public.flyway_schema_history where success and version is not null"
                        + " order by installed_rank desc limit 1"));
    }

    boolean empty() throws SQLException {
        return "0"
                .equals(one("select count(*) from pg_class where relnamespace = 'public'::regnamespace"
                        + " and relkind in ('r', 'p')"));
    }

    /** Their columns by table, without those that PostgreSQL computes. */
    Map<String, List<String>> tables() throws SQLException {
        Map<String, List<String>> tables = new TreeMap<>();
        for (String table : texts(TABLES)) {
            try (PreparedStatement columns = connection.prepareStatement(COLUMNS)) {
                columns.setString(1, table);
                tables.put(table, texts(columns.executeQuery()));
            }
        }
        return tables;
    }

    /** Sequences are in no transaction: read after the tables, they are never behind these. */
    List<Manifest.Sequence> sequences() throws SQLException {
        List<Manifest.Sequence> sequences = new ArrayList<>();
        for (String name : texts("select relname from pg_class where relnamespace = 'public'::regnamespace"
                + " and relkind = 'S' order by 1")) {
            try (Statement statement = connection.createStatement();
                    ResultSet row =
                            statement.executeQuery("select last_value, is_called from public." + quoted(name))) {
                row.next();
                sequences.add(new Manifest.Sequence(name, row.getLong(1), row.getBoolean(2)));
            }
        }
        return sequences;
    }

    /** Gives how many rows there were. */
    long read(String table, List<String> columns, OutputStream out) throws SQLException, IOException {
        return copies().copyOut("copy " + named(table, columns) + " to stdout", out);
    }

    /** Gives how many rows there were. */
    long write(String table, List<String> columns, InputStream rows) throws SQLException, IOException {
        return copies().copyIn("copy " + named(table, columns) + " from stdin", rows);
    }

    /**
     * Takes away what the migrations themselves put into tables, and what would act on rows as they come: keys to rows that come
     * later, and triggers. Gives the statements that put it back, which check all rows.
     */
    List<String> open(Map<String, List<String>> tables) throws SQLException {
        List<String> back = new ArrayList<>();
        List<String> drop = new ArrayList<>();
        try (Statement statement = connection.createStatement();
                ResultSet keys = statement.executeQuery(FOREIGN_KEYS)) {
            while (keys.next()) {
                drop.add(keys.getString(1));
                back.add(keys.getString(2));
            }
        }
        for (String key : drop) {
            execute(key);
        }
        for (String table : tables.keySet()) {
            execute("truncate public." + quoted(table));
            execute("alter table public." + quoted(table) + " disable trigger user");
            back.add("alter table public." + quoted(table) + " enable trigger user");
        }
        return back;
    }

    void set(Manifest.Sequence sequence) throws SQLException {
        try (PreparedStatement statement =
                connection.prepareStatement("select setval(format('public.%I', ?::text)::regclass, ?, ?)")) {
            statement.setString(1, sequence.name());
            statement.setLong(2, sequence.value());
            statement.setBoolean(3, sequence.called());
            statement.execute();
        }
    }

    void execute(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    void commit() throws SQLException {
        connection.commit();
    }

    @Override
    public void close() throws SQLException {
        connection.close(); // what was not committed did not happen
    }

    private CopyManager copies() throws SQLException {
        return connection.unwrap(PGConnection.class).getCopyAPI();
    }

    private @Nullable String one(String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            return row.next() ? row.getString(1) : null;
        }
    }

    private List<String> texts(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            return texts(statement.executeQuery(sql));
        }
    }

    private static List<String> texts(ResultSet rows) throws SQLException {
        List<String> texts = new ArrayList<>();
        while (rows.next()) {
            texts.add(rows.getString(1));
        }
        return texts;
    }

    private static String named(String table, List<String> columns) {
        return "public." + quoted(table) + " ("
                + String.join(", ", columns.stream().map(DatabaseCopy::quoted).toList()) + ")";
    }

    private static String quoted(String name) {
        return "\"" + name.replace("\"", "\"\"") + "\"";
    }
}
