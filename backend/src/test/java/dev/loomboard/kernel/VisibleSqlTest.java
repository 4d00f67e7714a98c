package dev.loomboard.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class VisibleSqlTest {

    private static final Path MAIN = Path.of("src/main/java");

    /** The rule of one row by hand: public, or of the caller's workspaces. */
    private static final Pattern BY_HAND =
            Pattern.compile("\\b((?:\\w+\\.)?)visibility\\s*=\\s*'public'\\s+or\\s+\\1workspace_id\\s*=\\s*any");

    @Test
    void visible_becomes_the_tenancy_rule_of_the_named_table() {
        assertThat(VisibleSql.text("select 1 from run r where r.run_id = :run and visible(r) and visible(series)"))
                .isEqualTo("select 1 from run r where r.run_id = :run"
                        + " and (r.visibility = 'public' or r.workspace_id = any(:mine))"
                        + " and (series.visibility = 'public' or series.workspace_id = any(:mine))");
    }

    @Test
    void administrator_also_sees_what_only_hiding_keeps_from_others() {
        String sql = "select 1 from run r where visible(r)";
        assertThat(VisibleSql.textFor(person(true), sql))
                .isEqualTo(
                        "select 1 from run r where (r.visibility = 'public' or r.hidden or r.workspace_id = any(:mine))");
        assertThat(VisibleSql.textFor(person(false), sql)).isEqualTo(VisibleSql.text(sql));
        assertThat(VisibleSql.textFor(new Caller.Anonymous(), sql)).isEqualTo(VisibleSql.text(sql));
    }

    private static Caller person(boolean administrator) {
        return new Caller.Person(new AccountId(1), "acc_x", "X", administrator, Map.of());
    }

    @Test
    void text_without_the_rule_stays_as_it_is() {
        assertThat(VisibleSql.text("select visible, invisible(r)")).isEqualTo("select visible, invisible(r)");
    }

    @Test
    void no_other_file_writes_the_rule_or_binds_the_workspaces() throws IOException {
        try (Stream<Path> files = Files.walk(MAIN)) {
            List<Path> byHand = files.filter(file -> file.toString().endsWith(".java"))
                    .filter(file -> !file.endsWith("VisibleSql.java"))
                    .filter(VisibleSqlTest::writesTheRule)
                    .toList();
            assertThat(byHand)
                    .as("write visible(alias) in the query and ask by VisibleSql.query(database, caller, sql)")
                    .isEmpty();
        }
    }

    private static boolean writesTheRule(Path file) {
        try {
            String text = Files.readString(file);
            return BY_HAND.matcher(text).find() || text.contains(".bind(\"mine\"");
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}
