package dev.loomboard.server.jdkhttp;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import javax.sql.DataSource;

/** Has the database wait, and a connection of the pool with it. */
record SqlSleep(DataSource database) implements Workload {

    @Override
    public String answer(Parameters parameters) throws SQLException {
        double seconds = parameters.delayMs(100) / 1_000.0;
        try (Connection connection = database.getConnection();
                PreparedStatement sleep = connection.prepareStatement("select pg_sleep(?)")) {
            sleep.setDouble(1, seconds);
            sleep.execute();
        }
        return "ok";
    }
}
