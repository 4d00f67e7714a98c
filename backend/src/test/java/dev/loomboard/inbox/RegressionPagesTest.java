package dev.loomboard.inbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.kernel.Caller;
import dev.loomboard.kit.Cast.Role;
import dev.loomboard.kit.SuspectRows;
import dev.loomboard.kit.WebTest;
import dev.loomboard.regression.RegressionFilter;
import dev.loomboard.regression.RerunService;
import dev.loomboard.web.PageContext;
import dev.loomboard.web.PageRenderer;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.jsoup.nodes.Document;
import org.junit.jupiter.api.Test;
import org.springframework.test.web.reactive.server.WebTestClient;
import org.springframework.web.reactive.function.BodyInserters;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import tools.jackson.databind.JsonNode;

/** The inbox, one change, its triage and the feed, as anybody, strangers and owners meet them. */
final class RegressionPagesTest extends WebTest {

    private static final String CPU = "cpu_us_per_request";

    private final ShownRegressions shown = ShownRegressions.shared();

    @Test
    void inbox_groups_regressions_by_build_and_sets_apart_what_is_not_confirmed() {
        Document page = page(client, "/regressions?machine=" + shown.rows.name);
        assertThat(page.select("section:has(h2[id^=build-]) tbody tr")).hasSize(1);
        assertThat(page.select("section:has(h2[id^=build-])").text())
                .contains(
                        "1 regression, 1 open",
                        "slower, +20",
                        "adjusted p < 0.0001 at look 1 of 4",
                        "confirmed by rerun")
                .contains("Only one cell changed", "so the host is not the cause");
        assertThat(page.select("section:has(#suspects)").text())
                .contains("Suspected, not confirmed", "has no variant third");
        assertThat(page.select("section:has(#improvements) tbody tr")).hasSize(1);
        assertThat(page.select("section:has(#improvements)").text())
                .contains("confirmed by history", "No rerun: the history already gave a result.");
        assertThat(page.select("#cleared")).isEmpty();
        assertThat(page.select("nav[aria-label=Main] a[aria-current=page]").text())
                .isEqualTo("Regressions");
    }

    @Test
    void filters_are_in_the_url() {
        String machine = "&machine=" + shown.rows.name;
        assertThat(ids("?state=suspect" + machine)).containsExactly(shown.suspect);
        assertThat(ids("?state=improvement" + machine)).containsExactly(shown.improvement);
        assertThat(ids("?state=cleared" + machine)).containsExactly(shown.cleared);
        assertThat(ids("?state=open" + machine)).containsExactly(shown.regression);
        assertThat(ids("?state=fixed" + machine)).isEmpty();
        assertThat(ids("?jdk=" + shown.rows.young)).contains(shown.regression, shown.suspect);
        assertThat(ids("?jdk=" + shown.rows.good)).isEmpty();
        assertThat(ids("?rerun=" + shown.rerun)).containsExactly(shown.regression, shown.cleared);
        assertThat(page(client, "/regressions?jdk=none").text()).contains("Nothing matches these filters");
        String csv = text(client, "/regressions.csv?state=open" + machine);
        assertThat(csv.lines()).hasSize(2);
        assertThat(csv).contains(shown.regression + ",confirmed,worse,rerun,open,true", ",slower,");
    }

    @Test
    void inbox_without_any_change_says_how_one_comes_about() {
        RegressionsPage none = RegressionsPage.of(
                List.of(), RegressionFilter.of(Map.of()), RegressionsPage.query("/regressions", Map.of()), "");
        PageContext shell = new PageContext(new Caller.Anonymous(), "/regressions", "", false, () -> "token");
        assertThat(service.bean(PageRenderer.class)
                        .text("inbox/_regressions.jte", Map.of("page", none, "shell", shell)))
                .contains("No change found", "/schedules");
    }

    @Test
    void text_for_an_issue_says_what_is_confirmed_and_calls_nobody() {
        ShownRegressions named = new ShownRegressions(service, "public");
        execute("update machine set name = '<b>`@octocat` #1' where external_id = '" + named.rows.machine + "'");
        Document one = page(client, "/regressions/" + named.regression);
        assertThat(one.select("#issue pre").text())
                .isEqualTo("25.0.2+9 temurin is slower than 25.0.1+9 temurin: 1 change");
        assertThat(one.select("#issue textarea[readonly]").val())
                .startsWith("`25.0.2+9 temurin` is slower than `25.0.1+9 temurin`.\n")
                .contains(
                        "- Measured on: `` <b>`@octocat` #1 ``\n",
                        "### 1. `tiny plain, empty, 10/s for 1 s, G1`\n",
                        "- Server CPU per request: slower, +20",
                        "/runs/" + named.rerun + ")",
                        "/regressions/" + named.regression + ")");
        assertThat(page(client, "/regressions/" + named.suspect).select("#issue"))
                .as("it is not confirmed")
                .isEmpty();
        assertThat(page(client, "/regressions/" + named.improvement)
                        .select("#issue pre")
                        .text())
                .contains("is faster than");
        assertThat(page(client, "/regressions?jdk=" + named.rows.young)
                        .select("#issue textarea")
                        .val())
                .contains("Confirmed: 1 change of 1 cell", "### What it points to");
        assertThat(page(client, "/regressions?machine=" + named.rows.name).select("#issue"))
                .as("of no one build")
                .isEmpty();
    }

    @Test
    void page_of_a_change_shows_its_evidence_and_what_differs() {
        Document page = page(client, "/regressions/" + shown.regression);
        assertThat(page.select(".facts").text())
                .contains(
                        "slower, +20",
                        "95 %: +",
                        "adjusted p < 0.0001",
                        "8 blocks",
                        "the size may be overestimated",
                        "1.00 → 1.20",
                        "as suspected");
        assertThat(page.select(".facts a[href=/runs/" + shown.rerun + "]")).hasSize(1);
        assertThat(page.select("a[href^=/series/ser_]")).isNotEmpty();
        assertThat(page.select("section:has(h3) tr:has(th:contains(UseCompactObjectHeaders)) td")
                        .eachText())
                .containsExactly("false", "true");
        assertThat(page.text()).doesNotContain("UseG1GC");
        assertThat(page.select("form[action$=/triage]")).as("for owners alone").isEmpty();
        Document suspect = page(client, "/regressions/" + shown.suspect);
        assertThat(suspect.text()).contains("Not confirmed", "has no variant third");
        assertThat(suspect.select("#triage")).isEmpty();
    }

    @Test
    void run_of_a_rerun_says_why_it_is_made_and_what_it_takes() {
        SuspectRows rows = new SuspectRows(service, "public");
        String suspect = rows.suspect("plain", CPU);
        service.bean(RerunService.class).followUp().block(ShownRegressions.TIMEOUT);
        String rerun = Objects.requireNonNull(rows.rerun(suspect));
        Document run = page(client, "/runs/" + rerun);
        assertThat(run.select(".notice").text()).contains("A rerun", "changes are suspected");
        assertThat(run.text()).contains("It has 16 trials, at most about");
        assertThat(run.select("a[href=/regressions?rerun=" + rerun + "]")).hasSize(1);
        assertThat(page(client, "/regressions/" + suspect).text())
                .contains("The rerun is queued: 16 trials, at most about");
        assertThat(page(client, "/runs/" + rows.runId).select(".notice").text()).doesNotContain("A rerun");
    }

    @Test
    void what_is_private_is_its_members_alone() {
        ShownRegressions hidden = new ShownRegressions(service, "private");
        for (Role role : List.of(Role.ANONYMOUS, Role.STRANGER)) {
            for (String path : List.of("", ".json")) {
                as(role).get()
                        .uri("/regressions/" + hidden.regression + path)
                        .exchange()
                        .expectStatus()
                        .isNotFound();
            }
            for (String list : List.of(
                    "/regressions?machine=",
                    "/regressions.json?machine=",
                    "/regressions.csv?machine=",
                    "/api/v1/regressions?machine=")) {
                assertThat(text(as(role), list + hidden.rows.name))
                        .as(list)
                        .doesNotContain(hidden.regression, hidden.suspect, hidden.rerun);
            }
            assertThat(text(as(role), "/regressions.atom")).doesNotContain(hidden.regression);
        }
        assertThat(triage(as(Role.STRANGER), hidden.regression, "fixed", "", "")
                        .expectBody()
                        .returnResult()
                        .getStatus()
                        .value())
                .isEqualTo(404);
        Document own = page(as(Role.OWNER), "/regressions?machine=" + hidden.rows.name);
        assertThat(own.select("a[href=/regressions/" + hidden.regression + "]")).hasSize(1);
        assertThat(text(as(Role.OWNER), "/regressions.atom")).contains(hidden.regression);
        assertThat(text(as(Role.TOKEN), "/api/v1/regressions?machine=" + hidden.rows.name))
                .contains(hidden.regression);
    }

    @Test
    void owners_triage_with_note_and_owner_and_each_change_is_kept() {
        ShownRegressions mine = new ShownRegressions(service, "public");
        WebTestClient owner = as(Role.OWNER);
        String me = account("owner@example.org");
        triage(owner, mine.regression, "acknowledged", me, "Reported <b>upstream</b>.")
                .expectStatus()
                .isSeeOther();
        triage(owner, mine.regression, "expected", "", "").expectStatus().isSeeOther();
        triage(owner, mine.regression, "expected", "", "  ").expectStatus().isSeeOther();
        assertThat(mine.rows.column(mine.regression, "triage")).isEqualTo("expected");
        assertThat(number("select count(*) from audit_event where action = 'regression.triage' and subject = '"
                        + mine.regression + "'"))
                .as("what says nothing new leaves no trace")
                .isEqualTo(2);
        Document page = page(client, "/regressions/" + mine.regression);
        List<String> events = page.select("#triage tbody tr").eachText();
        assertThat(events).hasSize(2);
        assertThat(events.getFirst()).contains("acknowledged → expected");
        assertThat(events.getLast()).contains("open → acknowledged, assigned to Owner", "Reported <b>upstream</b>.");
        assertThat(page.select("#triage b")).isEmpty();
        assertThat(ids("?state=expected&machine=" + mine.rows.name)).containsExactly(mine.regression);
    }

    @Test
    void member_triages_but_starts_no_rerun_and_viewer_only_reads() {
        ShownRegressions mine = new ShownRegressions(service, "public");
        String path = "/regressions/" + mine.regression;
        triage(as(Role.VIEWER), mine.regression, "fixed", "", "").expectStatus().isForbidden();
        assertThat(page(as(Role.VIEWER), path).select("#state")).isEmpty();
        assertThat(page(as(Role.MEMBER), path).select("#state")).hasSize(1);
        triage(as(Role.MEMBER), mine.regression, "acknowledged", "", "I look at it.")
                .expectStatus()
                .isSeeOther();
        assertThat(mine.rows.column(mine.regression, "triage")).isEqualTo("acknowledged");
        as(Role.MEMBER)
                .post()
                .uri(path + "/bisection")
                .exchange()
                .expectStatus()
                .isForbidden();
    }

    @Test
    void refused_triage_keeps_what_was_typed() {
        WebTestClient owner = as(Role.OWNER);
        Document page = document(triage(owner, shown.regression, "gone", "acc_nobody", "Typed with care.")
                .expectStatus()
                .isEqualTo(422)
                .expectBody()
                .returnResult());
        assertThat(page.select("#state-problem").text()).contains("must be one of open");
        assertThat(page.select("#owner-problem").text()).contains("member of the workspace");
        assertThat(page.select("#note").text()).isEqualTo("Typed with care.");
        String stranger = account("stranger@example.org");
        triage(owner, shown.regression, "fixed", stranger, "").expectStatus().isEqualTo(422);
        triage(owner, shown.suspect, "fixed", "", "").expectStatus().isEqualTo(409);
        triage(owner, shown.improvement, "fixed", "", "").expectStatus().isEqualTo(409);
        triage(as(Role.STRANGER), shown.regression, "fixed", "", "")
                .expectStatus()
                .isEqualTo(403);
        assertThat(shown.rows.column(shown.regression, "triage")).isEqualTo("open");
    }

    @Test
    void feed_is_atom_of_confirmed_regressions_with_ids_that_stay() throws Exception {
        Element feed = feed();
        assertThat(feed.getNamespaceURI()).isEqualTo("http://www.w3.org/2005/Atom");
        assertThat(feed.getLocalName()).isEqualTo("feed");
        for (String needed : List.of("id", "title", "updated", "author")) {
            assertThat(feed.getElementsByTagName(needed).getLength()).as(needed).isPositive();
        }
        assertThat(Instant.parse(child(feed, "updated"))).isAfter(Instant.EPOCH);
        Element entry = entry(feed, shown.regression);
        assertThat(child(entry, "id")).startsWith("urn:uuid:").isEqualTo(child(entry(feed(), shown.regression), "id"));
        assertThat(child(entry, "title")).contains("tiny plain is worse");
        assertThat(child(entry, "summary")).contains("slower, +20");
        assertThat(Instant.parse(child(entry, "updated"))).isAfterOrEqualTo(Instant.parse(child(entry, "published")));
        String text = text(client, "/regressions.atom");
        assertThat(text).doesNotContain(shown.suspect, shown.improvement, shown.cleared);
    }

    /** What a shared cache keeps of it would send other readers wherever the one who asked wanted. */
    @Test
    void feeds_do_not_repeat_the_host_that_they_were_asked_by() {
        for (String feed : List.of("/regressions.atom", "/retractions.atom")) {
            String text = client.get()
                    .uri(feed)
                    .header("X-Forwarded-Host", "evil.example.org")
                    .exchange()
                    .expectBody(String.class)
                    .returnResult()
                    .getResponseBody();
            assertThat(text)
                    .contains("<link rel=\"self\" href=\"" + feed + "\"", "<id>urn:uuid:")
                    .doesNotContain("evil.example.org", "http://localhost");
        }
    }

    @Test
    void json_twin_carries_the_numbers() {
        JsonNode one = json("/regressions/" + shown.regression + ".json");
        assertThat(one.path("schema").asString()).isEqualTo("loomboard.regression/1");
        assertThat(one.at("/rerun/outcome/verdict").asString()).isEqualTo("slower");
        assertThat(one.at("/rerun/outcome/effect").asDouble()).isGreaterThan(1.19);
        assertThat(one.at("/rerun/trials").asInt()).isPositive();
        assertThat(one.at("/flags/0/name").asString()).isEqualTo("UseCompactObjectHeaders");
    }

    private WebTestClient.ResponseSpec triage(WebTestClient as, String id, String state, String owner, String note) {
        return as.post()
                .uri("/regressions/" + id + "/triage")
                .body(BodyInserters.fromFormData("state", state)
                        .with("owner", owner)
                        .with("note", note))
                .exchange();
    }

    /** External ids of all that the inbox lists. */
    private List<String> ids(String query) {
        JsonNode page = json("/regressions.json" + query);
        return List.of("groups", "suspects", "improvements", "cleared").stream()
                .flatMap(part -> part.equals("groups")
                        ? page.path(part)
                                .valueStream()
                                .flatMap(g -> g.path("regressions").valueStream())
                        : page.path(part).valueStream())
                .map(r -> r.path("id").asString())
                .toList();
    }

    private JsonNode json(String path) {
        return Objects.requireNonNull(client.get()
                .uri(path)
                .exchange()
                .expectStatus()
                .isOk()
                .expectBody(JsonNode.class)
                .returnResult()
                .getResponseBody());
    }

    private static String text(WebTestClient as, String path) {
        byte[] body = as.get()
                .uri(path)
                .exchange()
                .expectStatus()
                .isOk()
                .expectBody()
                .returnResult()
                .getResponseBody();
        return body == null ? "" : new String(body, StandardCharsets.UTF_8);
    }

    private Element feed() throws Exception {
        DocumentBuilderFactory factory = DocumentBuilderFactory.newDefaultNSInstance();
        return factory.newDocumentBuilder()
                .parse(new ByteArrayInputStream(
                        text(client, "/regressions.atom").getBytes(StandardCharsets.UTF_8)))
                .getDocumentElement();
    }

    private Element entry(Element feed, String id) {
        NodeList entries = feed.getElementsByTagName("entry");
        return IntStream.range(0, entries.getLength())
                .mapToObj(i -> (Element) entries.item(i))
                .filter(e -> ((Element) e.getElementsByTagName("link").item(0))
                        .getAttribute("href")
                        .equals("/regressions/" + id))
                .findFirst()
                .orElseThrow();
    }

    private static String child(Element of, String name) {
        return of.getElementsByTagName(name).item(0).getTextContent();
    }

    private String account(String email) {
        return await(database.sql("select external_id from account where email = :email")
                .bind("email", email)
                .map(row -> Objects.requireNonNull(row.get(0, String.class)))
                .one());
    }
}
