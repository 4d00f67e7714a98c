package dev.loomboard.runimport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.loomboard.kernel.Caller;
import dev.loomboard.kit.Cast.Role;
import dev.loomboard.leaderboard.LeaderboardStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import org.jsoup.nodes.Document;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Results that ship stand in a workspace of their own, and no page takes them for what was measured here. */
final class ShippedResultsTest extends ImportWebTest {

    private static final String PAGE = "/w/" + ShippedResultsService.WORKSPACE;

    private final ShippedResultsService results = service.bean(ShippedResultsService.class);
    private Path shipped = Path.of("");

    @BeforeAll
    void take(@TempDir Path into) throws IOException {
        shipped = into;
        Files.write(shipped.resolve("io-1.loomboard.zip"), bundle);
        Files.writeString(shipped.resolve("broken.loomboard.zip"), "no bundle", StandardCharsets.UTF_8);
        Files.writeString(shipped.resolve("README.md"), "no bundle either", StandardCharsets.UTF_8);
        ShippedResults taken = await(results.take(shipped));
        assertThat(taken.files()).isEqualTo(2);
        assertThat(taken.present()).isEqualTo(1);
        assertThat(taken.problems())
                .singleElement()
                .asString()
                .startsWith("broken.loomboard.zip was not imported: the file is no bundle");
    }

    @Test
    void same_folder_again_changes_nothing() {
        long before = number("select count(*) from imported_run");
        long events = number("select count(*) from audit_event");
        assertThat(await(results.take(shipped)).present()).isEqualTo(1);
        assertThat(number("select count(*) from imported_run")).isEqualTo(before);
        assertThat(number("select count(*) from audit_event")).isEqualTo(events);
    }

    @Test
    void workspace_says_whose_results_they_are_and_is_nobodys() {
        Document page = page(client, PAGE);
        assertThat(page.select("h1").text()).isEqualTo("Results shipped with Loomboard");
        assertThat(page.text()).contains("Not measured here.", "0 owners, 0 members, 0 viewers");
        assertThat(page.select("a[href^=" + PAGE + "/machines/]")).hasSize(1);
        assertThat(json(client.get().uri(PAGE + ".json").exchange())
                        .path("shipped")
                        .asBoolean())
                .isTrue();
        assertThat(page(client, "/w/main").text()).doesNotContain("Not measured here.");
        as(Role.OWNER).get().uri(PAGE + "/settings").exchange().expectStatus().is4xxClientError();
        as(Role.ADMINISTRATOR)
                .get()
                .uri(PAGE + "/settings")
                .exchange()
                .expectStatus()
                .isForbidden();
    }

    @Test
    void machine_is_neither_online_nor_away() {
        Document page = page(client, machine());
        assertThat(page.text())
                .contains("Imported.", "neither online nor away", "Its rows on the leaderboard")
                .doesNotContain("offline", "retired", "not started yet", "loomboard-agent qualify", "Not checked yet");
    }

    @Test
    void rows_of_the_board_say_that_they_were_imported() {
        String id = text("select external_id from machine where workspace_id = " + workspaceKey());
        Document board = page(client, "/leaderboard?machine=" + id);
        assertThat(board.select("table.board tbody tr:not(.group)"))
                .isNotEmpty()
                .allMatch(row -> row.text().contains("of workspace shipped-results")
                        && row.select(".badge").eachText().contains("imported"));
        assertThat(await(service.bean(LeaderboardStore.class).scenarios(new Caller.Anonymous(), id))
                        .getFirst())
                .isEqualTo(text("select scenario_key from leaderboard_entry e join machine m using (machine_id)"
                        + " where m.external_id = '" + id + "' limit 1"));
    }

    @Test
    void nobody_can_take_its_name() {
        assertThat(form(as(Role.OWNER), "/workspaces", Map.of("name", "Mine", "slug", "shipped-results"))
                        .expectStatus()
                        .isEqualTo(422)
                        .expectBody(String.class)
                        .returnResult()
                        .getResponseBody())
                .contains("is reserved: shipped-results");
    }

    @Test
    void workspace_that_a_person_made_before_is_left_alone() {
        execute(
                "update workspace set created_by = (select min(account_id) from account) where slug = 'shipped-results'");
        try {
            ShippedResults taken = await(results.take(shipped));
            assertThat(taken.present()).isZero();
            assertThat(taken.problems())
                    .containsExactly("nothing was imported: the workspace shipped-results is somebody's");
            assertThat(page(client, PAGE).text()).doesNotContain("Not measured here.");
        } finally {
            execute("update workspace set created_by = null where slug = 'shipped-results'");
        }
    }

    @Test
    void folder_that_is_not_there_is_said() {
        assertThatThrownBy(() -> await(results.take(folder.resolve("nowhere"))))
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining("cannot be read");
    }

    private String machine() {
        return PAGE + "/machines/" + text("select slug from machine where workspace_id = " + workspaceKey());
    }

    private long workspaceKey() {
        return key(ShippedResultsService.WORKSPACE).value();
    }

    private String text(String sql) {
        return await(database.sql(sql)
                .map(row -> Objects.requireNonNull(row.get(0, String.class)))
                .one());
    }
}
