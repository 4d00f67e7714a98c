package dev.loomboard.quota;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.kernel.ExternalId;
import dev.loomboard.kernel.Secret;
import dev.loomboard.kit.TestMachine;
import dev.loomboard.kit.WebTest;
import java.util.Map;
import java.util.Objects;
import org.jsoup.nodes.Document;
import org.junit.jupiter.api.Test;
import org.springframework.test.web.reactive.server.EntityExchangeResult;
import org.springframework.test.web.reactive.server.WebTestClient;
import org.springframework.util.LinkedMultiValueMap;
import org.springframework.web.reactive.function.BodyInserters;
import tools.jackson.databind.JsonNode;

/** A workspace that may have one of everything. */
final class QuotaWebTest extends WebTest {

    private static final String MATRIX = """
            schema: loomboard.matrix/1
            name: NAME
            title: Small
            protocol: small/1
            jdks: [25]
            servers:
              - {server: spring-mvc, variants: [virtual]}
            scenarios:
              - {workload: io, params: {delayMs: 100}, load: {profile: constant, rate: 300, seconds: 12}}
            trials: {scored: 1}
            phases: {warmup: [{seconds: 8}]}
            """;

    private final String slug = "small-" + ExternalId.random("wsp").value().substring(4);
    private final Secret session = Secret.random("lbs");
    private final Secret token = Secret.random("lbt");

    @Test
    void workspace_that_has_all_it_may_have_is_told_so_beside_the_field_and_in_problems() {
        plant();
        WebTestClient owner = browser(session);
        WebTestClient script = bearer(token.value());

        TestMachine machine = TestMachine.registered(script, client, "private");
        refused(script, "/api/v1/machines/registration-tokens", Map.of("name", "Second"), 409, "machines");
        assertThat(form(owner, "/machines/new", "name", "Second", "visibility", "private")
                        .select("#name-problem")
                        .text())
                .contains("has 1 of 1 machines", "Revoke a machine");

        form(owner, "/matrices/new", "source", MATRIX.replace("NAME", "one"), "visibility", "private");
        assertThat(form(owner, "/matrices/new", "source", MATRIX.replace("NAME", "two"), "visibility", "private")
                        .select("#source-problems li")
                        .text())
                .contains("has 1 of 1 matrices");

        Map<String, String> run = Map.of("matrix", "one", "machine", machine.slug());
        script.post()
                .uri("/api/v1/runs")
                .bodyValue(run)
                .exchange()
                .expectStatus()
                .isCreated();
        assertThat(refused(script, "/api/v1/runs", run, 429, "queued runs")
                        .getResponseHeaders()
                        .getFirst("Retry-After"))
                .isEqualTo("300");
        execute("update run set state = 'cancelled' where workspace_id = " + workspace());
        script.post()
                .uri("/api/v1/runs")
                .bodyValue(run)
                .exchange()
                .expectStatus()
                .isCreated();

        String matrix = external("matrix");
        form(owner, "/schedules/new", schedule(matrix, machine.id(), "First"));
        assertThat(form(owner, "/schedules/new", schedule(matrix, machine.id(), "Second"))
                        .select("#title-problem")
                        .text())
                .contains("has 1 of 1 schedules");
        assertThat(number("select count(*) from schedule where workspace_id = " + workspace()))
                .isEqualTo(1);

        Document account = page(owner, "/account");
        assertThat(account.select("#limits tbody tr").eachText())
                .contains("Small Machines 1 1", "Small Measurements 0.0 MiB 50.0 GiB", "Small Matrices 1 1");
    }

    private static String[] schedule(String matrix, String machine, String title) {
        return new String[] {
            "title",
            title,
            "matrix",
            matrix,
            "machine",
            machine,
            "when",
            "nightly",
            "nightlyTime",
            "02:00",
            "zone",
            "UTC"
        };
    }

    private EntityExchangeResult<JsonNode> refused(
            WebTestClient as, String path, Map<String, String> request, int status, String what) {
        EntityExchangeResult<JsonNode> answer = as.post()
                .uri(path)
                .bodyValue(request)
                .exchange()
                .expectStatus()
                .isEqualTo(status)
                .expectBody(JsonNode.class)
                .returnResult();
        JsonNode problem = Objects.requireNonNull(answer.getResponseBody());
        assertThat(problem.path("type").asString()).endsWith("/quota");
        assertThat(problem.path("detail").asString()).contains("has 1 of 1 " + what);
        return answer;
    }

    private static Document form(WebTestClient as, String path, String... fields) {
        var form = new LinkedMultiValueMap<String, String>();
        for (int i = 0; i < fields.length; i += 2) {
            form.set(fields[i], fields[i + 1]);
        }
        return document(as.post()
                .uri(path)
                .body(BodyInserters.fromFormData(form))
                .exchange()
                .expectBody()
                .returnResult());
    }

    private void plant() {
        execute("insert into workspace (external_id, slug, name) values (new_external_id('wsp'), '" + slug
                + "', 'Small')");
        execute("insert into workspace_limit (workspace_id, machines, queued_runs, matrices, schedules) values ("
                + workspace() + ", 1, 1, 1, 1)");
        complete(database.sql("""
                        with a as (
                          insert into account (external_id, email, display_name, password_hash)
                          values (new_external_id('acc'), :slug || '@example.org', 'Small', 'none: signs in by a planted session')
                          returning account_id),
                        m as (
                          insert into workspace_member (workspace_id, account_id, role) select :workspace, account_id, 'owner' from a),
                        t as (
                          insert into api_token (external_id, workspace_id, name, token_hash, last4, scopes)
                          values (new_external_id('tok'), :workspace, 'Small', :token, 'last', '{machine:register,run:write}'))
                        insert into session (token_hash, account_id, expires_at)
                        select :session, account_id, now() + interval '1 hour' from a
                        """)
                .bind("slug", slug)
                .bind("workspace", workspace())
                .bind("token", token.hash())
                .bind("session", session.hash())
                .then());
    }

    private long workspace() {
        return number("select workspace_id from workspace where slug = '" + slug + "'");
    }

    private String external(String table) {
        return await(database.sql("select external_id from " + table + " where workspace_id = " + workspace())
                .map(row -> String.valueOf(row.get(0, String.class)))
                .one());
    }
}
