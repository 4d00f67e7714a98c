package dev.loomboard.database;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.kit.StoreTest;
import java.util.List;
import org.junit.jupiter.api.Test;

final class SchemaTest extends StoreTest {

    @Test
    void every_table_has_a_comment() {
        assertThat(names("""
                select c.relname from pg_class c
                 where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v', 'm')
                   and c.relname <> 'flyway_schema_history'
                   and obj_description(c.oid, 'pg_class') is null
                """)).isEmpty();
    }

    @Test
    void every_column_has_a_comment() {
        assertThat(names("""
                select c.relname || '.' || a.attname
                  from pg_class c join pg_attribute a on a.attrelid = c.oid
                 where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v', 'm')
                   and c.relname <> 'flyway_schema_history' and c.relname not like 'qrtz\\_%'
                   and a.attnum > 0 and not a.attisdropped
                   and col_description(c.oid, a.attnum) is null
                """)).isEmpty();
    }

    @Test
    void migrations_make_the_default_workspace() {
        assertThat(names("select slug from workspace")).containsExactly("main");
    }

    @Test
    void connections_plan_a_query_once_and_give_one_up_that_takes_too_long() {
        assertThat(
                        names(
                                "select current_setting('plan_cache_mode') union all select current_setting('statement_timeout')"))
                .containsExactly("force_generic_plan", "30s");
    }

    private List<String> names(String sql) {
        return await(
                database.sql(sql).map(row -> row.get(0, String.class)).all().collectList());
    }
}
