package dev.loomboard.server.helidon;

import io.helidon.webserver.http.HttpRules;
import io.helidon.webserver.http.HttpService;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;

/** All rows of a table, one more, sorted, as JSON: one question to the database a request. */
record FortunesService(DataSource database) implements HttpService {

    @Override
    public void routing(HttpRules rules) {
        rules.post("/fortunes", this::fortunes);
    }

    private void fortunes(ServerRequest request, ServerResponse response) throws SQLException {
        List<Fortune> rows = new ArrayList<>();
        try (Connection connection = database.getConnection();
                PreparedStatement select = connection.prepareStatement(Fortune.SELECT);
                ResultSet result = select.executeQuery()) {
            while (result.next()) {
                rows.add(new Fortune(result.getInt(1), result.getString(2)));
            }
        }
        response.send(Fortune.answer(rows));
    }
}
