package dev.loomboard.server.micronaut;

import io.micronaut.context.annotation.Requires;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Post;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;

/** All rows of a table, one more, sorted, as JSON: one question to the database a request. */
@Controller
@Requires(property = "datasources.default.url")
@ExecuteOn(TaskExecutors.BLOCKING)
final class FortunesController {

    private final DataSource database;

    FortunesController(DataSource database) {
        this.database = database;
    }

    @Post("/fortunes")
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
