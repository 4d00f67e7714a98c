package dev.loomboard.database;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * The ordinary role by which the service uses the embedded server. It owns the service's database, and what an earlier
 * version of the service, then the superuser, made in it.
 */
final class PostgresOwner {

    private static final String ROLE = "loomboard_service";

    /** Sequences of columns go with their tables. */
    private static final String HAND_OVER = """
            do $$
            declare it record;
            begin
              for it in
                select format('alter %%s public.%%I owner to %1$s',
                              case c.relkind when 'S' then 'sequence' when 'v' then 'view'
                                             when 'm' then 'materialized view' else 'table' end, c.relname) as change
                  from pg_class c
                 where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'S', 'v', 'm')
                   and c.relowner <> '%1$s'::regrole
                   and not (c.relkind = 'S' and exists (select 1 from pg_depend d
                                                         where d.classid = 'pg_class'::regclass and d.objid = c.oid
                                                           and d.deptype in ('a', 'i')))
                union all
                select format('alter routine %%s owner to %1$s', p.oid::regprocedure)
                  from pg_proc p
                 where p.pronamespace = 'public'::regnamespace and p.proowner <> '%1$s'::regrole
              loop
                execute it.change;
              end loop;
            end $$
            """.formatted(ROLE);

    private PostgresOwner() {}

    /**
     * Makes the role and the database where they are missing, and gives the role's address. Its password is another one at each
     * start and lies nowhere.
     *
     * @param administrator address of the database as the superuser
     * @param databases true: it may make databases and drop them, as tests do
     */
    static DatabaseUrl prepare(DatabaseUrl administrator, boolean databases) throws SQLException {
        String password = PostgresFolder.randomPassword();
        String database = administrator.database();
        try (Connection connection = connect(administrator.withDatabase("postgres"));
                Statement statement = connection.createStatement()) {
            if (!exists(statement, "select 1 from pg_roles where rolname = '" + ROLE + "'")) {
                statement.execute("create role " + ROLE);
            }
            statement.execute("alter role " + ROLE + " login nosuperuser nocreaterole "
                    + (databases ? "createdb" : "nocreatedb") + " password '" + password + "'");
            if (databases) { // without it a database is not dropped while autovacuum is at work in it
                statement.execute("grant pg_signal_backend to " + ROLE);
            }
            if (!exists(statement, "select 1 from pg_database where datname = '" + database + "'")) {
                statement.execute("create database " + database + " owner " + ROLE);
            }
            statement.execute("alter database " + database + " owner to " + ROLE);
        }
        try (Connection connection = connect(administrator);
                Statement statement = connection.createStatement()) {
            statement.execute(HAND_OVER);
        }
        return new DatabaseUrl(
                administrator.host(), administrator.port(), database, ROLE, password, administrator.sslMode());
    }

    private static Connection connect(DatabaseUrl url) throws SQLException {
        return DriverManager.getConnection(url.jdbc(), url.user(), url.password());
    }

    private static boolean exists(Statement statement, String sql) throws SQLException {
        try (ResultSet found = statement.executeQuery(sql)) {
            return found.next();
        }
    }
}
