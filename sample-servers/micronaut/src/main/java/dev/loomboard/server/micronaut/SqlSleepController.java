package dev.loomboard.server.micronaut;

import io.micronaut.context.annotation.Requires;
import io.micronaut.http.MediaType;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Post;
import io.micronaut.http.annotation.Produces;
import io.micronaut.http.annotation.QueryValue;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import javax.sql.DataSource;

/** Has the database wait, and a connection of the pool with it. */
@Controller
@Requires(property = "datasources.default.url")
@ExecuteOn(TaskExecutors.BLOCKING)
final class SqlSleepController {

    private final DataSource database;

    SqlSleepController(DataSource database) {
        this.database = database;
    }

    @Post("/sql-sleep")
    @Produces(MediaType.TEXT_PLAIN)
    String sqlSleep(@QueryValue(defaultValue = "100") long delayMs) throws SQLException {
        double seconds = Bounds.delayMs(delayMs) / 1_000.0;
        try (Connection connection = database.getConnection();
                PreparedStatement sleep = connection.prepareStatement("select pg_sleep(?)")) {
            sleep.setDouble(1, seconds);
            sleep.execute();
        }
        return "ok";
    }
}
