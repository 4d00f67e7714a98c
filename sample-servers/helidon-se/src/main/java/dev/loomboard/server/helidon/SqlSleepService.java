package dev.loomboard.server.helidon;

import io.helidon.webserver.http.HttpRules;
import io.helidon.webserver.http.HttpService;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import javax.sql.DataSource;

/** Has the database wait, and a connection of the pool with it. */
record SqlSleepService(DataSource database) implements HttpService {

    @Override
    public void routing(HttpRules rules) {
        rules.post("/sql-sleep", this::sqlSleep);
    }

    private void sqlSleep(ServerRequest request, ServerResponse response) throws SQLException {
        double seconds = new Parameters(request).delayMs(100) / 1_000.0;
        try (Connection connection = database.getConnection();
                PreparedStatement sleep = connection.prepareStatement("select pg_sleep(?)")) {
            sleep.setDouble(1, seconds);
            sleep.execute();
        }
        response.send("ok");
    }
}
