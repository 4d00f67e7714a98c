package dev.loomboard.server.jdkhttp;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;

/** All rows of a table, one more, sorted, as JSON: one question to the database a request. */
record Fortunes(DataSource database) implements Workload {

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
        return Json.text(Fortune.answer(rows));
    }

    @Override
    public String contentType() {
        return JSON;
    }
}
