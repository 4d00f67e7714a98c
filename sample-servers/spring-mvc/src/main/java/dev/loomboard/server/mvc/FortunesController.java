package dev.loomboard.server.mvc;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/** All rows of a table, one more, sorted, as JSON: one question to the database a request. */
@RestController
@ConditionalOnProperty("loomboard.database.address")
final class FortunesController {

    private final DataSource database;

    FortunesController(DataSource database) {
        this.database = database;
    }

    @PostMapping(path = "/fortunes", produces = MediaType.APPLICATION_JSON_VALUE)
    List<Fortune> fortunes() throws SQLException {
        List<Fortune> rows = new ArrayList<>();
        try (Connection connection = database.getConnection();
                PreparedStatement select = connection.prepareStatement(Fortune.SELECT);
                ResultSet result = select.executeQuery()) {
            while (result.next()) {
                rows.add(new Fortune(result.getInt(1), result.getString(2)));
            }
        }
        return Fortune.answer(rows);
    }
}
