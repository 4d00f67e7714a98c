package dev.loomboard.kernel;

import java.util.Set;
import java.util.regex.Pattern;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.r2dbc.core.DatabaseClient.GenericExecuteSpec;

/**
 * The tenancy rule, written once: a caller sees the rows that are public and those of the caller's workspaces; an
 * administrator also sees those that are public but for being hidden. A store
 * writes {@code visible(r)} in its query, where {@code r} is a table or its alias, and asks by {@link #query}. PostgreSQL
 * has no function of that name: a query that does not come this way is refused, it does not show too much.
 */
public final class VisibleSql {

    private static final Pattern VISIBLE = Pattern.compile("\\bvisible\\((\\w+)\\)");

    private VisibleSql() {}

    /** The query as PostgreSQL reads it; {@code :mine} stands for the keys of the caller's workspaces. */
    public static String text(String sql) {
        return VISIBLE.matcher(sql).replaceAll("($1.visibility = 'public' or $1.workspace_id = any(:mine))");
    }

    /** The same as that caller asks it. */
    static String textFor(Caller caller, String sql) {
        return caller instanceof Caller.Person person && person.administrator()
                ? VISIBLE.matcher(sql)
                        .replaceAll("($1.visibility = 'public' or $1.hidden or $1.workspace_id = any(:mine))")
                : text(sql);
    }

    /** The query with the caller's workspaces bound as {@code :mine}. */
    public static GenericExecuteSpec query(DatabaseClient database, Caller caller, String sql) {
        return bound(database, caller.workspaces(), textFor(caller, sql));
    }

    /** The query as a member of these workspaces asks it. */
    public static GenericExecuteSpec query(DatabaseClient database, Set<WorkspaceId> workspaces, String sql) {
        return bound(database, workspaces, text(sql));
    }

    private static GenericExecuteSpec bound(DatabaseClient database, Set<WorkspaceId> workspaces, String text) {
        return database.sql(text)
                .bind("mine", workspaces.stream().map(WorkspaceId::value).toArray(Long[]::new));
    }
}
