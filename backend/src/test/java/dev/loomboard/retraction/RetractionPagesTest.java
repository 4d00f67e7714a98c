package dev.loomboard.retraction;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.kernel.Secret;
import dev.loomboard.kit.Cast.Role;
import dev.loomboard.kit.Results;
import dev.loomboard.kit.SevenBlocks;
import dev.loomboard.kit.WebTest;
import dev.loomboard.view.ScenarioText;
import dev.loomboard.web.FormToken;
import dev.loomboard.web.Urls;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import org.jsoup.nodes.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.test.web.reactive.server.EntityExchangeResult;
import org.springframework.test.web.reactive.server.WebTestClient;
import org.springframework.transaction.reactive.TransactionalOperator;
import org.springframework.web.reactive.function.BodyInserters;
import tools.jackson.databind.JsonNode;

/** Retracting by the form, what every page then says, and taking it back. */
final class RetractionPagesTest extends WebTest {

    private static final String ADMINISTRATORS = "@retraction.example.org";
    private static final String WHY = "its answers were <never> checked";

    /** A run of four cells on two builds, of a build of the server that no other test has. */
    private final class Measured {
        final SevenBlocks run;
        final String digest;
        final String scenario;

        Measured(String name) {
            run = new SevenBlocks(
                            service.bean(DatabaseClient.class),
                            service.bean(TransactionalOperator.class),
                            name,
                            "public")
                    .end("done");
            digest = name + "-digest";
            scenario = run.scenario("slower");
            for (String table : List.of("trial", "point", "leaderboard_entry")) {
                execute("update %s set server_digest = '%s' where run_id = %d".formatted(table, digest, run.run));
            }
        }

        String compare(String twin) {
            return "/compare" + twin + "?a=" + run.baseline + "&b=" + run.candidate;
        }

        String leaderboard(String twin) {
            return Results.board(scenario) + twin + "?jdk=all";
        }

        String external(String sql) {
            return await(database.sql(sql.formatted(run.run))
                    .map(row -> Objects.requireNonNull(row.get(0, String.class)))
                    .first());
        }
    }

    /** Of the shared service another test is to make the first. */
    @AfterEach
    void dismissAdministrators() {
        execute("update account set administrator = false where email like '%" + ADMINISTRATORS + "'");
    }

    private WebTestClient admin() {
        return browser(session());
    }

    private Secret session() {
        Secret session = Secret.random("lbs");
        complete(database.sql("""
                        with a as (insert into account (external_id, email, display_name, password_hash, administrator)
                                   values (new_external_id('acc'), :email, 'Ada Lovelace', 'none', true) returning account_id)
                        insert into session (token_hash, account_id, expires_at)
                        select :hash, account_id, now() + interval '1 hour' from a
                        """)
                .bind("email", session.value().substring(4, 20) + ADMINISTRATORS)
                .bind("hash", session.hash())
                .then());
        return session;
    }

    private static EntityExchangeResult<byte[]> post(WebTestClient as, String path, String... fields) {
        BodyInserters.FormInserter<String> form = BodyInserters.fromFormData(fields[0], fields[1]);
        for (int i = 2; i < fields.length; i += 2) {
            form = form.with(fields[i], fields[i + 1]);
        }
        return as.post().uri(path).body(form).exchange().expectBody().returnResult();
    }

    private static EntityExchangeResult<byte[]> retract(WebTestClient as, String version, String reason) {
        return post(as, "/retractions", "kind", "server", "name", "spring-mvc", "version", version, "reason", reason);
    }

    private Document shown(String path) {
        return document(get(path));
    }

    private String text(String path) {
        return new String(Objects.requireNonNull(get(path).getResponseBody()), StandardCharsets.UTF_8);
    }

    private EntityExchangeResult<byte[]> get(String path) {
        return client.get()
                .uri(URI.create(service.url() + path))
                .exchange()
                .expectStatus()
                .isOk()
                .expectBody()
                .returnResult();
    }

    private JsonNode json(String path) {
        return tools.jackson.databind.json.JsonMapper.shared().readTree(text(path));
    }

    @Test
    void every_page_says_that_a_result_is_retracted_and_gives_it_back_when_that_is_withdrawn() {
        Measured m = new Measured("retract-pages");
        WebTestClient admin = admin();
        assertThat(shown(m.compare("")).select(".tally").text()).startsWith("1 slower");
        assertThat(retract(admin, m.digest, WHY).getStatus().value()).isEqualTo(303);

        leaderboardSaysSo(m);
        comparisonSaysSo(m);
        historySaysSo(m);
        String trial = m.external("select external_id from trial where run_id = %d order by trial_id limit 1");
        assertThat(shown("/trials/" + trial).select(".notice").text()).contains(WHY, "Ada Lovelace");
        assertThat(json("/trials/" + trial + ".json").at("/retracted/reason").asString())
                .isEqualTo(WHY);
        String run = m.external("select external_id from run where run_id = %d");
        assertThat(shown("/runs/" + run).text()).contains("retracted: " + WHY);
        assertThat(shown("/jdks/25/" + m.run.baseline).select("td .badge").eachText())
                .containsOnly("retracted");

        String id = json("/retractions.json")
                .path("retractions")
                .valueStream()
                .filter(r -> r.path("version").asString().equals(m.digest))
                .map(r -> r.path("id").asString())
                .findFirst()
                .orElseThrow();
        assertThat(shown("/retractions").select("#" + id).text())
                .contains(m.digest, WHY, "by Ada Lovelace", "retracted");
        assertThat(text("/retractions.csv")).contains(id + ",server,spring-mvc," + m.digest);
        assertThat(text("/retractions.atom")).contains("Retracted: server spring-mvc", "/retractions#" + id);

        assertThat(post(admin, "/retractions/" + id + "/withdraw", "withdrawal", "they were")
                        .getStatus()
                        .value())
                .isEqualTo(303);
        assertThat(shown(m.compare("")).select(".tally").text()).startsWith("1 slower");
        assertThat(shown(m.leaderboard("")).select("tr.retracted")).isEmpty();
        assertThat(shown("/retractions")
                        .select("section:has(#withdrawn) #" + id)
                        .text())
                .contains("withdrawn", "they were");
        assertThat(text("/retractions.atom")).contains("Withdrawn, no longer retracted: server spring-mvc");
    }

    private void leaderboardSaysSo(Measured m) {
        Document page = shown(m.leaderboard(""));
        assertThat(page.select("tr.retracted")).hasSize(2);
        assertThat(page.select("tbody:has(tr.retracted) .group-words").text())
                .contains("Retracted: found wrong after measuring", WHY);
        JsonNode row = json(m.leaderboard(".json")).at("/boards/0/groups/0/rows/0");
        String badge = text(Urls.badge(
                ScenarioText.of(m.scenario).slug(),
                row.path("server").asString(),
                row.path("variant").asString()));
        assertThat(badge).contains(">retracted · JDK").doesNotContain("latency", "excess");
        assertThat(row.path("standing").asString()).isEqualTo("retracted");
        assertThat(row.at("/retracted/by").asString()).isEqualTo("Ada Lovelace");
        assertThat(row.at("/retracted/at").asString()).isNotEmpty();
        assertThat(row.path("readings")).isNotEmpty();
        assertThat(text(m.leaderboard(".csv")).lines().skip(1))
                .isNotEmpty()
                .allMatch(line -> line.startsWith("retracted,\"retracted: "));
    }

    private void comparisonSaysSo(Measured m) {
        Document page = shown(m.compare(""));
        assertThat(page.select(".tally").text()).startsWith("No verdict");
        assertThat(page.select("table.board .verdict")).isEmpty();
        assertThat(page.select("table.board tbody .badge.bad").eachText())
                .hasSize(4)
                .containsOnly("retracted");
        assertThat(page.select("tfoot").text())
                .as("no mean of what was found wrong")
                .startsWith("No geometric mean")
                .contains("4 retracted");
        JsonNode pair = json(m.compare(".json")).at("/pairs/0");
        assertThat(pair.path("verdict").isString()).isFalse();
        assertThat(pair.path("judged").isNull()).isTrue();
        assertThat(pair.at("/baseline/retracted/reason").asString()).isEqualTo(WHY);
        assertThat(text(m.compare(".csv"))).contains("retracted: " + WHY).doesNotContain(",slower,");
    }

    private void historySaysSo(Measured m) {
        String series = m.external(
                "select s.external_id from point p join series s using (series_id) where p.run_id = %d and s.metric = 'response_excess_p50_ms' order by s.series_id limit 1");
        Document page = shown("/series/" + series);
        assertThat(page.select("#points td .badge").eachText()).contains("retracted");
        assertThat(page.text()).contains(WHY);
        JsonNode json = json("/series/" + series + ".json");
        assertThat(json.at("/tracks/0/points/0/standing").asString()).isEqualTo("retracted");
        assertThat(json.at("/tracks/0/detectable/points").asInt())
                .as("nothing is learnt from it")
                .isZero();
        assertThat(json.at("/charts/0/lines/0/label").asString()
                        + json.at("/charts/0/lines/0/name").asString())
                .contains("retracted");
        assertThat(text("/series/" + series + ".csv")).contains(",retracted,\"retracted: ");
    }

    @Test
    void only_administrators_retract_and_withdraw_and_only_with_the_forms_token() {
        Measured m = new Measured("retract-roles");
        for (Role role : List.of(Role.OWNER, Role.STRANGER)) {
            assertThat(retract(as(role), m.digest, WHY).getStatus().value()).isEqualTo(403);
            assertThat(page(as(role), "/retractions").select("#retract")).isEmpty();
        }
        Secret session = session();
        WebTestClient withoutToken = client.mutate()
                .defaultCookie(FormToken.SESSION_COOKIE, session.value())
                .build();
        assertThat(retract(withoutToken, m.digest, WHY).getStatus().value()).isEqualTo(403);
        assertThat(number("select count(*) from retraction where version = '%s'".formatted(m.digest)))
                .isZero();
        Document page = page(browser(session), "/retractions?kind=server&name=spring-mvc&version=" + m.digest);
        assertThat(page.select("#retract input[name=version]").attr("value")).isEqualTo(m.digest);
        assertThat(page.select("#retract details").text()).contains("server spring-mvc retract-role");
    }

    @Test
    void refused_form_keeps_what_was_typed_and_changes_nothing() {
        Measured m = new Measured("retract-refused");
        WebTestClient admin = admin();
        EntityExchangeResult<byte[]> unknown = retract(admin, "no-such-version", "kept as typed");
        assertThat(unknown.getStatus().value()).isEqualTo(422);
        assertThat(document(unknown).select("#version-problem").text()).contains("no result");
        assertThat(document(unknown).select("textarea").text()).isEqualTo("kept as typed");
        EntityExchangeResult<byte[]> empty = retract(admin, m.digest, "  ");
        assertThat(empty.getStatus().value()).isEqualTo(422);
        assertThat(document(empty).select("#reason-problem").text()).isEqualTo("must not be empty");
        assertThat(post(admin, "/retractions", "kind", "planet", "name", "x", "version", "1", "reason", "x")
                        .getStatus()
                        .value())
                .isEqualTo(422);
        assertThat(retract(admin, m.digest, "x".repeat(2001)).getStatus().value())
                .isEqualTo(422);
        assertThat(number("select count(*) from retraction where version = '%s'".formatted(m.digest)))
                .isZero();

        assertThat(retract(admin, m.digest, WHY).getStatus().value()).isEqualTo(303);
        assertThat(retract(admin, m.digest, WHY).getStatus().value()).isEqualTo(409);
        String id = await(database.sql("select external_id from retraction where version = '%s'".formatted(m.digest))
                .map(row -> Objects.requireNonNull(row.get(0, String.class)))
                .one());
        EntityExchangeResult<byte[]> why = post(admin, "/retractions/" + id + "/withdraw", "withdrawal", "");
        assertThat(why.getStatus().value()).isEqualTo(422);
        assertThat(document(why).select("#" + id + " details[open] #withdrawal-problem"))
                .hasSize(1);
        assertThat(post(as(Role.OWNER), "/retractions/" + id + "/withdraw", "withdrawal", "x")
                        .getStatus()
                        .value())
                .isEqualTo(403);
        for (String none : List.of("ret_aaaaaaaaaaaaaaaaaaaa", "rubbish")) {
            assertThat(post(admin, "/retractions/" + none + "/withdraw", "withdrawal", "x")
                            .getStatus()
                            .value())
                    .isEqualTo(404);
        }
        assertThat(post(admin, "/retractions/" + id + "/withdraw", "withdrawal", "x")
                        .getStatus()
                        .value())
                .isEqualTo(303);
        assertThat(post(admin, "/retractions/" + id + "/withdraw", "withdrawal", "x")
                        .getStatus()
                        .value())
                .isEqualTo(409);
        assertThat(number("select count(*) from audit_event where subject = '%s'".formatted(id)))
                .isEqualTo(2);
    }
}
