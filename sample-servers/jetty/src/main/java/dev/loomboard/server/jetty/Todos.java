package dev.loomboard.server.jetty;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;

/** The table of the workload {@code todo}: each method is one statement, and each statement a transaction of its own. */
final class Todos {

    private static final String LIST = "select id, title, done from todo where id >= ? order by id limit 20";
    private static final String FIND = "select id, title, done from todo where id = ?";
    private static final String WRITE = "insert into todo (id, title, done) values (?, ?, ?)"
            + " on conflict (id) do update set title = excluded.title, done = excluded.done";
    private static final String CHANGE = "update todo set title = ?, done = ? where id = ?";
    private static final String REMOVE = "delete from todo where id = ?";

    private final DataSource database;

    Todos(DataSource database) {
        this.database = database;
    }

    /** Those from an id on, in their order. */
    List<Todo> list(int from) throws SQLException {
        return select(LIST, from);
    }

    Optional<Todo> find(int id) throws SQLException {
        return select(FIND, id).stream().findFirst();
    }

    /** In place of one of the same id, if there is one. */
    void write(Todo todo) throws SQLException {
        execute(WRITE, todo.id(), todo.title(), todo.done());
    }

    /** Whether there is one of this id. */
    boolean change(Todo todo) throws SQLException {
        return execute(CHANGE, todo.title(), todo.done(), todo.id()) > 0;
    }

    void remove(int id) throws SQLException {
        execute(REMOVE, id);
    }

    private List<Todo> select(String sql, int id) throws SQLException {
        List<Todo> rows = new ArrayList<>();
        try (Connection connection = database.getConnection();
                PreparedStatement select = connection.prepareStatement(sql)) {
            select.setInt(1, id);
            try (ResultSet result = select.executeQuery()) {
                while (result.next()) {
                    rows.add(new Todo(result.getInt(1), result.getString(2), result.getBoolean(3)));
                }
            }
        }
        return rows;
    }

    private int execute(String sql, Object... values) throws SQLException {
        try (Connection connection = database.getConnection();
                PreparedStatement statement = connection.prepareStatement(sql)) {
            for (int i = 0; i < values.length; i++) {
                statement.setObject(i + 1, values[i]);
            }
            return statement.executeUpdate();
        }
    }
}
