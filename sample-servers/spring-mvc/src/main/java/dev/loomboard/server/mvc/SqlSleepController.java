package dev.loomboard.server.mvc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Has the database wait, and a connection of the pool with it. */
@RestController
@ConditionalOnProperty("loomboard.database.address")
final class SqlSleepController {

    private final DataSource database;

    SqlSleepController(DataSource database) {
        this.database = database;
    }

    @PostMapping(path = "/sql-sleep", produces = MediaType.TEXT_PLAIN_VALUE)
    String sqlSleep(@RequestParam(defaultValue = "100") long delayMs) throws SQLException {
        double seconds = Bounds.delayMs(delayMs) / 1_000.0;
        try (Connection connection = database.getConnection();
                PreparedStatement sleep = connection.prepareStatement("select pg_sleep(?)")) {
            sleep.setDouble(1, seconds);
            sleep.execute();
        }
        return "ok";
    }
}
