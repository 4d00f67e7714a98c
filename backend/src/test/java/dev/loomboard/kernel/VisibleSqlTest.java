package dev.loomboard.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class VisibleSqlTest {

    private static final Path MAIN = Path.of("src/main/java");

    /** A text block or a string: what one of them says of the caller's workspaces and of what is public is the rule by hand. */
    private static final Pattern TEXT = Pattern.compile("\"\"\".*?\"\"\"|\"(?:[^\"\\\\\\n]|\\\\.)*\"", Pattern.DOTALL);

    private static final Pattern PUBLIC = Pattern.compile("visibility\\s*(?:=|<>|!=)\\s*'(?:public|private)'");

    @Test
    void visible_becomes_the_tenancy_rule_of_the_named_table() {
        assertThat(VisibleSql.text("select 1 from run r where r.run_id = :run and visible(r) and visible(series)"))
                .isEqualTo("select 1 from run r where r.run_id = :run"
                        + " and (r.visibility = 'public' or r.workspace_id = any(:mine))"
                        + " and (series.visibility = 'public' or series.workspace_id = any(:mine))");
    }

    @Test
    void row_is_as_public_as_the_rows_after_the_colon_are_together() {
        String sql = "select 1 from schedule s, matrix x, machine m where visible(s: x, m)";
        assertThat(VisibleSql.text(sql))
                .endsWith("where (x.visibility = 'public' and m.visibility = 'public' or s.workspace_id = any(:mine))");
        assertThat(VisibleSql.textFor(person(true), sql))
                .endsWith("where ((x.visibility = 'public' or x.hidden) and (m.visibility = 'public' or m.hidden)"
                        + " or s.workspace_id = any(:mine))");
    }

    @Test
    void administrator_also_sees_what_only_hiding_keeps_from_others() {
        String sql = "select 1 from run r where visible(r)";
        assertThat(VisibleSql.textFor(person(true), sql))
                .isEqualTo(
                        "select 1 from run r where ((r.visibility = 'public' or r.hidden) or r.workspace_id = any(:mine))");
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
                    .as(
                            "write visible(alias) or visible(owner: alias, alias) in the query and ask by VisibleSql.query(database, caller, sql)")
                    .isEmpty();
        }
    }

    private static boolean writesTheRule(Path file) {
        try {
            String text = Files.readString(file);
            return text.contains(".bind(\"mine\"")
                    || TEXT.matcher(text)
                            .results()
                            .map(MatchResult::group)
                            .anyMatch(sql ->
                                    sql.contains(":mine") && PUBLIC.matcher(sql).find());
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}
