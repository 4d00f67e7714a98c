package dev.loomboard.kernel;

import java.util.Set;
import java.util.regex.Pattern;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.r2dbc.core.DatabaseClient.GenericExecuteSpec;

/**
 * The tenancy rule, written once: a caller sees the rows that are public and those of the caller's workspaces. A store
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

    /** The query with the caller's workspaces bound as {@code :mine}. */
    public static GenericExecuteSpec query(DatabaseClient database, Caller caller, String sql) {
        return query(database, caller.workspaces(), sql);
    }

    /** The query as a member of these workspaces asks it. */
    public static GenericExecuteSpec query(DatabaseClient database, Set<WorkspaceId> workspaces, String sql) {
        return database.sql(text(sql))
                .bind("mine", workspaces.stream().map(WorkspaceId::value).toArray(Long[]::new));
    }
}
