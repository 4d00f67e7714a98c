package dev.loomboard.kernel;

import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.r2dbc.core.DatabaseClient.GenericExecuteSpec;

/**
 * The tenancy rule, written once: a caller sees the rows that are public and those of the caller's workspaces; an
 * administrator also sees those that are public but for being hidden. A store
 * writes {@code visible(r)} in its query, where {@code r} is a table or its alias, and asks by {@link #query}. Of a row that is
 * as public as others are together it writes {@code visible(s: x, m)}: the workspace of {@code s}, the visibility of {@code x}
 * and {@code m}. PostgreSQL has no function of that name: a query that does not come this way is refused, it does not show too
 * much.
 */
public final class VisibleSql {

    private static final Pattern VISIBLE = Pattern.compile("\\bvisible\\((\\w+)(?:: (\\w+(?:, \\w+)*))?\\)");

    private VisibleSql() {}

    /** The query as PostgreSQL reads it; {@code :mine} stands for the keys of the caller's workspaces. */
    public static String text(String sql) {
        return written(sql, alias -> alias + ".visibility = 'public'");
    }

    /** The same as that caller asks it. */
    static String textFor(Caller caller, String sql) {
        return caller instanceof Caller.Person person && person.administrator()
                ? written(sql, alias -> "(%1$s.visibility = 'public' or %1$s.hidden)".formatted(alias))
                : text(sql);
    }

    /** @param open says in SQL that a row is open to the caller, whosever it is */
    private static String written(String sql, UnaryOperator<String> open) {
        return VISIBLE.matcher(sql).replaceAll(found -> {
            String owner = found.group(1);
            return Stream.of(rows(found)).map(open).collect(Collectors.joining(" and ", "(", "")) + " or " + owner
                    + ".workspace_id = any(:mine))";
        });
    }

    private static String[] rows(MatchResult found) {
        String others = found.group(2);
        return others == null ? new String[] {found.group(1)} : others.split(", ");
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
