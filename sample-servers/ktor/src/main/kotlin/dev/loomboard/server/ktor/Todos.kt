package dev.loomboard.server.ktor

import java.sql.PreparedStatement
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.boolean
import kotlinx.serialization.json.buildJsonObject
import kotlinx.serialization.json.int
import kotlinx.serialization.json.jsonPrimitive
import kotlinx.serialization.json.put

/** A row of the workload `todo`. */
internal data class Todo(val id: Int, val title: String, val done: Boolean) {

    constructor(
        json: JsonObject
    ) : this(
        json.getValue("id").jsonPrimitive.int,
        json.getValue("title").jsonPrimitive.content,
        json.getValue("done").jsonPrimitive.boolean,
    )

    fun json() = buildJsonObject {
        put("id", id)
        put("title", title)
        put("done", done)
    }
}

/**
 * The table of the workload `todo`: each function is one statement, and each statement a
 * transaction of its own.
 */
internal class Todos(private val database: Database) {

    /** Those from an id on, in their order. */
    suspend fun list(from: Int): List<Todo> =
        select("select id, title, done from todo where id >= ? order by id limit 20", from)

    suspend fun find(id: Int): Todo? =
        select("select id, title, done from todo where id = ?", id).firstOrNull()

    /** In place of one of the same id, if there is one. */
    suspend fun write(todo: Todo) {
        execute(
            "insert into todo (id, title, done) values (?, ?, ?) " +
                "on conflict (id) do update set title = excluded.title, done = excluded.done",
            todo.id,
            todo.title,
            todo.done,
        )
    }

    /** Whether there is one of this id. */
    suspend fun change(todo: Todo): Boolean =
        execute(
            "update todo set title = ?, done = ? where id = ?",
            todo.title,
            todo.done,
            todo.id,
        ) > 0

    suspend fun remove(id: Int) {
        execute("delete from todo where id = ?", id)
    }

    private suspend fun select(sql: String, id: Int): List<Todo> =
        asked(sql, id) { select ->
            select.executeQuery().use { result ->
                buildList {
                    while (result.next()) {
                        add(Todo(result.getInt(1), result.getString(2), result.getBoolean(3)))
                    }
                }
            }
        }

    private suspend fun execute(sql: String, vararg values: Any): Int =
        asked(sql, *values) { it.executeUpdate() }

    private suspend fun <T> asked(
        sql: String,
        vararg values: Any,
        run: (PreparedStatement) -> T,
    ): T =
        database.ask { connection ->
            connection.prepareStatement(sql).use { statement ->
                values.forEachIndexed { i, value -> statement.setObject(i + 1, value) }
                run(statement)
            }
        }
}
