package dev.loomboard.generate;

import dev.loomboard.stats.Methodology;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.apache.commons.statistics.distribution.TDistribution;

/**
 * Puts generated rows into an empty database, in one transaction: all of them or none. What the newest nights measured
 * is put there as an agent would have uploaded it; rolling it up is left to the service's own code.
 */
final class GeneratedDatabase {

    /** Everything that a database on which nothing was measured has none of. */
    private static final String USED = """
            select exists (select 1 from machine) or exists (select 1 from run) or exists (select 1 from series)
                or exists (select 1 from jdk_build where feature > 0)
            """;

    private static final List<String> SCRIPTS = List.of("1-setting.sql", "2-record.sql", "3-rollup.sql");
    private static final OffsetDateTime NEWEST = OffsetDateTime.of(2026, 11, 20, 2, 0, 0, 0, ZoneOffset.UTC);

    private final Connection connection;
    private final GeneratedSize size;
    private final Consumer<String> progress;

    GeneratedDatabase(Connection connection, GeneratedSize size, Consumer<String> progress) {
        this.connection = connection;
        this.size = size;
        this.progress = progress;
    }

    static boolean used(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet answer = statement.executeQuery(USED)) {
            answer.next();
            return answer.getBoolean(1);
        }
    }

    /** @return the runs that are left to be rolled up, the oldest first */
    List<Long> put() throws SQLException {
        connection.setAutoCommit(false);
        // Of this transaction alone. After a crash the generation starts again.
        for (String setting : List.of(
                "temp_buffers = '256MB'",
                "work_mem = '256MB'",
                "maintenance_work_mem = '1GB'",
                "synchronous_commit = off")) {
            execute("set " + setting);
        }
        size();
        for (String script : SCRIPTS) {
            for (SqlScript.Part part : SqlScript.read(script).parts()) {
                timed(part.title(), () -> execute(part.sql()));
            }
        }
        timed("Histograms and samples of the newest nights", () -> new GeneratedRawData(connection, size.seed()).put());
        List<Long> runs = raw();
        timed("Commit", () -> {
            connection.commit();
            return 0;
        });
        connection.setAutoCommit(true);
        timed("Vacuum and analyse", () -> execute("vacuum (analyze)"));
        return runs;
    }

    private void size() throws SQLException {
        execute("""
                create temporary table size (seed bigint, lines int, machines int, points int, trials int, raw_nights int,
                                             t95 float8, t90 float8, newest timestamptz, methodology text)""");
        TDistribution t = TDistribution.of(size.trials() - 1.0);
        try (PreparedStatement insert =
                connection.prepareStatement("insert into size values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")) {
            insert.setLong(1, size.seed() * 1000L);
            insert.setInt(2, size.lines());
            insert.setInt(3, size.machines());
            insert.setInt(4, size.points());
            insert.setInt(5, size.trials());
            insert.setInt(6, size.rawNights());
            insert.setDouble(7, t.inverseSurvivalProbability(0.025));
            insert.setDouble(8, t.inverseSurvivalProbability(0.05));
            insert.setObject(9, NEWEST);
            insert.setString(10, Methodology.VERSION);
            insert.executeUpdate();
        }
    }

    private List<Long> raw() throws SQLException {
        List<Long> runs = new ArrayList<>();
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("select distinct run_id from measured where raw order by 1")) {
            while (rows.next()) {
                runs.add(rows.getLong(1));
            }
        }
        return runs;
    }

    interface Work {
        /** @return rows */
        long run() throws SQLException;
    }

    private void timed(String title, Work work) throws SQLException {
        long start = System.nanoTime();
        long rows = work.run();
        progress.accept("%-45s %10d rows %7.1f s".formatted(title, rows, (System.nanoTime() - start) / 1e9));
    }

    /** @return rows that its statements changed, together */
    private long execute(String sql) throws SQLException {
        long rows = 0;
        try (Statement statement = connection.createStatement()) {
            boolean result = statement.execute(sql);
            while (result || statement.getLargeUpdateCount() >= 0) {
                rows += result ? 0 : statement.getLargeUpdateCount();
                result = statement.getMoreResults();
            }
        }
        return rows;
    }
}
