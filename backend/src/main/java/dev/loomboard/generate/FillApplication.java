package dev.loomboard.generate;

import dev.loomboard.matrix.MatrixReader;
import dev.loomboard.matrix.MatrixStore;
import dev.loomboard.ranking.BoardKey;
import dev.loomboard.ranking.RankService;
import dev.loomboard.recompute.RecomputeService;
import dev.loomboard.recompute.RollupCheckApplication;
import java.io.PrintStream;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import javax.sql.DataSource;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.flyway.autoconfigure.FlywayAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Import;
import org.springframework.transaction.ReactiveTransactionManager;
import org.springframework.transaction.reactive.TransactionalOperator;

/**
 * The command {@code fill}: generated rows for the database that the service would use, which must be an empty one. The
 * schema is made where there is none.
 *
 * <p>Not marked as a configuration: the service would find it among its own packages.
 */
@ImportAutoConfiguration(FlywayAutoConfiguration.class)
@Import(MatrixStore.class)
public class FillApplication {

    private static final int REFUSED = 1;
    /** For the trials of one run. */
    private static final Duration TIMEOUT = Duration.ofMinutes(10);

    /**
     * @param settings as on a command line, such as {@code --loomboard.database.url=…}; absent: those of the environment
     * @return the exit code: 0 filled, 1 the database is none to be filled or failed
     */
    public static int run(GeneratedSize size, PrintStream out, PrintStream err, String... settings) {
        // What rolls up is there as the check of roll-ups needs it.
        SpringApplication program = new SpringApplication(RollupCheckApplication.class, FillApplication.class);
        program.setWebApplicationType(WebApplicationType.NONE);
        try (ConfigurableApplicationContext context = program.run(settings);
                Connection connection = context.getBean(DataSource.class).getConnection()) {
            if (GeneratedDatabase.used(connection)) {
                err.println(
                        "fill: this database holds machines, builds or runs already, and what is generated must not be"
                                + " mixed with what was measured. Name an empty folder in LOOMBOARD_DATA, or an empty database in"
                                + " LOOMBOARD_DATABASE_URL.");
                return REFUSED;
            }
            fill(context, connection, size, out);
            return 0;
        } catch (SQLException e) {
            err.println("fill: the database refused: " + e.getMessage() + ". Nothing was kept of what was generated.");
            return REFUSED;
        }
    }

    private static void fill(
            ConfigurableApplicationContext context, Connection connection, GeneratedSize size, PrintStream out)
            throws SQLException {
        long start = System.nanoTime();
        out.printf(
                "%d series of %d points, %d trials; raw record of the newest %d%n",
                size.series(),
                size.points(),
                (long) size.lines() * size.points() * size.trials(),
                size.rawNights() * size.lines() * size.trials());
        String source = SqlScript.text("matrix.yaml");
        switch (MatrixReader.read(source)) {
            case MatrixReader.Read read ->
                context.getBean(MatrixStore.class)
                        .putPreset(read.spec(), source, true)
                        .block(TIMEOUT);
            case MatrixReader.Refused refused -> throw new IllegalStateException("matrix.yaml: " + refused.problems());
        }
        List<Long> runs = new GeneratedDatabase(connection, size, out::println).put();
        rollUp(context, runs, out);
        rank(context, connection, out);
        out.printf("Filled after %.0f s%n", (System.nanoTime() - start) / 1e9);
    }

    /** By the service's own code, a run after the other, each in a transaction as when it ends. */
    private static void rollUp(ConfigurableApplicationContext context, List<Long> runs, PrintStream out) {
        RecomputeService rollup = context.getBean(RecomputeService.class);
        TransactionalOperator transaction =
                TransactionalOperator.create(context.getBean(ReactiveTransactionManager.class));
        long start = System.nanoTime();
        for (long run : runs) {
            rollup.recompute(run).as(transaction::transactional).block(TIMEOUT);
        }
        out.printf(
                "%-45s %10d runs %7.1f s%n",
                "Rolled up by the service's own code", runs.size(), (System.nanoTime() - start) / 1e9);
    }

    /** Also the boards that no run of the newest nights stands on. */
    private static void rank(ConfigurableApplicationContext context, Connection connection, PrintStream out)
            throws SQLException {
        RankService ranks = context.getBean(RankService.class);
        TransactionalOperator transaction =
                TransactionalOperator.create(context.getBean(ReactiveTransactionManager.class));
        long start = System.nanoTime();
        int boards = 0;
        try (Statement statement = connection.createStatement();
                ResultSet machines = statement.executeQuery("select machine_id from machine order by machine_id")) {
            while (machines.next()) {
                List<BoardKey> of = Objects.requireNonNull(
                        ranks.boardsOf(machines.getLong(1)).collectList().block(TIMEOUT));
                ranks.rank(of).as(transaction::transactional).block(TIMEOUT);
                boards += of.size();
            }
        }
        out.printf("%-45s %10d rows %7.1f s%n", "Boards of machines ranked", boards, (System.nanoTime() - start) / 1e9);
    }
}
