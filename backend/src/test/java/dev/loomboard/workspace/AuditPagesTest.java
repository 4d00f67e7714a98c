package dev.loomboard.workspace;

import static dev.loomboard.kit.Forms.send;
import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.kernel.ExternalId;
import dev.loomboard.kit.Cast.Role;
import dev.loomboard.kit.People;
import dev.loomboard.kit.WebTest;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;
import org.jsoup.nodes.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.test.web.reactive.server.WebTestClient;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

final class AuditPagesTest extends WebTest {

    private static final JsonMapper JSON = JsonMapper.builder().build();

    private final String slug = "ws-" + ExternalId.random("wsp").value().substring(4, 12);
    private final People.Somebody ada = new People(database).add("Ada " + slug);
    private final WebTestClient owner = browser(ada.session());
    private final String path = "/w/" + slug + "/audit";

    @BeforeEach
    void makeWorkspace() {
        send(owner, "/workspaces", Map.of("name", "Lab", "slug", slug));
    }

    @AfterEach
    void dismiss() {
        cast.administers(false);
    }

    @Test
    void owner_sees_who_did_what_and_filters_it() {
        send(owner, "/w/" + slug + "/settings", Map.of("name", "Better"));
        note("token.create", "tok_elsewhere", "main");
        Document all = page(owner, path);
        assertThat(all.select("tbody code").eachText()).containsExactly("workspace.rename", "workspace.create");
        assertThat(all.select("tbody tr:first-child").text()).contains("Ada " + slug, ada.id(), "to: Better");
        assertThat(page(owner, path + "?action=workspace.create").select("tbody tr"))
                .hasSize(1);
        assertThat(page(owner, path + "?action=machine").select("tbody tr")).isEmpty();
        assertThat(page(owner, path + "?actor=" + ada.id()).select("tbody tr")).hasSize(2);
        assertThat(page(owner, path + "?actor=Ada+" + slug).select("tbody tr")).hasSize(2);
        assertThat(page(owner, path + "?actor=nobody").select("tbody tr")).isEmpty();
        assertThat(page(owner, path + "?to=2001-01-01").select("tbody tr")).isEmpty();
        assertThat(page(owner, path + "?from=2001-01-01").select("tbody tr")).hasSize(2);
        Document refused = document(owner.get()
                .uri(path + "?from=x")
                .exchange()
                .expectStatus()
                .isEqualTo(422)
                .expectBody()
                .returnResult());
        assertThat(refused.select("#from-problem").text()).contains("2026-11-21");
    }

    @Test
    void pages_go_on_by_key_and_exports_hold_the_same() {
        execute("insert into audit_event (workspace_id, actor, action, subject, detail) select workspace_id, 'acc_x',"
                + " 'test.event', 'no ' || n, '{\"n\": \"=1\"}' from workspace, generate_series(1, 60) n where slug = '"
                + slug + "'");
        Document first = page(owner, path + "?action=test");
        assertThat(first.select("tbody tr")).hasSize(50);
        Document second = page(owner, first.select("a[rel=next]").attr("href"));
        assertThat(second.select("tbody tr")).hasSize(10);
        assertThat(second.select("a[rel=next]")).isEmpty();
        assertThat(second.select("tbody tr:last-child").text()).contains("no 1");

        JsonNode twin = JSON.readTree(body(path + ".json?action=test"));
        assertThat(twin.get("events").size()).isEqualTo(60);
        assertThat(twin.get("older").isNull()).isTrue();
        assertThat(twin.get("events").get(0).get("subject").asString()).isEqualTo("no 60");
        assertThat(body(path + ".csv?action=test").lines())
                .hasSize(61)
                .first()
                .asString()
                .startsWith("number,at,workspace,actor");
        owner.get().uri(path + ".csv?before=x").exchange().expectStatus().isEqualTo(422);
    }

    @Test
    void administrator_sees_all_of_the_installation_and_an_owner_not_what_others_did() {
        String mark = "sub_" + slug;
        note("test.installation", mark, "none");
        note("test.main", mark, "main");
        cast.administers(true);
        assertThat(page(as(Role.ADMINISTRATOR), "/audit?action=test").text()).contains(mark, "test.installation");
        assertThat(page(as(Role.ADMINISTRATOR), "/audit?action=workspace.create")
                        .text())
                .contains(slug);
        as(Role.ADMINISTRATOR).get().uri(path).exchange().expectStatus().isForbidden();
        owner.get().uri("/audit").exchange().expectStatus().isForbidden();
        assertThat(page(owner, path).text()).doesNotContain(mark);
    }

    private void note(String action, String subject, String workspace) {
        execute(
                "insert into audit_event (workspace_id, actor, action, subject) values ((select workspace_id from workspace"
                        + " where slug = '" + workspace + "'), 'acc_x', '" + action + "', '" + subject + "')");
    }

    private String body(String of) {
        return new String(
                Objects.requireNonNull(owner.get()
                        .uri(of)
                        .exchange()
                        .expectStatus()
                        .isOk()
                        .expectBody()
                        .returnResult()
                        .getResponseBody()),
                StandardCharsets.UTF_8);
    }
}
