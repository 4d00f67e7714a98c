package dev.loomboard.server.jetty;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import tools.jackson.databind.json.JsonMapper;

/** All rows of a table, one more, sorted, as JSON: one question to the database a request. */
record Fortunes(DataSource database) implements Workload {

    private static final JsonMapper JSON = new JsonMapper();

    static Fortunes of(Settings.Database settings) {
        // A connection that was idle for half a second would else be tried first: a second question, which
        // makes a request at low rates twice as far from its database as one at high rates.
        System.setProperty(
                "com.zaxxer.hikari.aliveBypassWindowMs",
                String.valueOf(Duration.ofDays(1).toMillis()));
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl("jdbc:postgresql://" + settings.address());
        config.setUsername(settings.user());
        config.setPassword(settings.password());
        config.setMaximumPoolSize(settings.connections());
        return new Fortunes(new HikariDataSource(config));
    }

    @Override
    public String answer(Parameters parameters) throws SQLException {
        List<Fortune> rows = new ArrayList<>();
        try (Connection connection = database.getConnection();
                PreparedStatement select = connection.prepareStatement(Fortune.SELECT);
                ResultSet result = select.executeQuery()) {
            while (result.next()) {
                rows.add(new Fortune(result.getInt(1), result.getString(2)));
            }
        }
        return JSON.writeValueAsString(Fortune.answer(rows));
    }

    @Override
    public String contentType() {
        return "application/json";
    }
}
