package dev.loomboard.inbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.kit.Cast.Role;
import dev.loomboard.kit.WebTest;
import dev.loomboard.view.Format;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import org.jsoup.nodes.Document;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What diagnostic trials of both builds saw, on the page of a regression and on a page of its own. */
final class FlamesOfRegressionTest extends WebTest {

    private static final String GOOD_STACKS =
            "java.lang.Thread.run;app.Work.io 900\njava.lang.Thread.run;app.Gc.sweep 100\n";
    private static final String NEW_STACKS =
            "java.lang.Thread.run;app.Work.io 620\njava.lang.Thread.run;app.Gc.sweep 380\n";

    private String text(String path) {
        byte[] body = client.get()
                .uri(path)
                .exchange()
                .expectStatus()
                .isOk()
                .expectBody()
                .returnResult()
                .getResponseBody();
        return new String(Objects.requireNonNull(body), StandardCharsets.UTF_8);
    }

    @Test
    void page_of_a_regression_shows_where_the_cpu_time_went_and_what_was_counted() {
        ShownRegressions shown = new ShownRegressions(service, "public");
        shown.diagnostic(shown.rows.good, 3.2, GOOD_STACKS);
        shown.diagnostic(shown.rows.young, 41, NEW_STACKS);
        Document page = page(client, "/regressions/" + shown.regression);
        assertThat(page.select("[aria-label='What diagnostic trials counted'] tbody tr")
                        .eachText())
                .anySatisfy(row -> assertThat(row).contains("3.20", "41.0"));
        List<String> rows =
                page.select("[aria-label^='Methods whose share'] tbody tr").eachText();
        assertThat(rows).hasSize(2);
        assertThat(rows.getFirst())
                .contains("app.Gc.sweep", "100", "380", "10.0", "38.0", "+28.0")
                .endsWith("more");
        assertThat(rows.getLast()).contains("app.Work.io", "−28.0").endsWith("less");
        assertThat(page.text())
                .contains(
                        Format.count(1000) + " in the diagnostic trial",
                        "2 of 2 methods beyond sampling error",
                        "Newcombe");
        assertThat(page.select("[data-flame-difference]").attr("data-flame-difference"))
                .isEqualTo(shown.flames(".json"));
        JsonNode twin = JsonMapper.shared().readTree(text("/regressions/" + shown.regression + ".json"));
        assertThat(twin.at("/cpuShares/0/name").asString()).isEqualTo("app.Gc.sweep");

        assertThat(page(client, shown.flames("")).select("h1").text()).contains("Which methods use more CPU time");
        JsonNode json = JsonMapper.shared().readTree(text(shown.flames(".json")));
        assertThat(json.path("boxes")).hasSize(4);
        assertThat(json.at("/boxes/2/mark").asInt()).isEqualTo(3);
        assertThat(json.at("/largest/0/low").asDouble()).isBetween(0.2, 0.28);
        assertThat(text(shown.flames(".csv")).lines().skip(1))
                .hasSize(2)
                .first()
                .asString()
                .startsWith("app.Gc.sweep,100,380,0.1,0.38,0.28");
    }

    @Test
    void side_without_a_diagnostic_trial_or_without_stacks_is_named() {
        ShownRegressions shown = new ShownRegressions(service, "public");
        assertThat(page(client, "/regressions/" + shown.regression)
                        .select(".empty")
                        .text())
                .contains("tiny plain on 25.0.1", "tiny plain on 25.0.2", "no finished diagnostic trial");
        shown.diagnostic(shown.rows.good, 3.2, GOOD_STACKS);
        shown.diagnostic(shown.rows.young, 3.2, "");
        assertThat(page(client, shown.flames("")).select(".empty").text())
                .contains("tiny plain on 25.0.2+9: its diagnostic trial left no CPU samples.")
                .doesNotContain("25.0.1");
        assertThat(text(shown.flames(".csv")).lines()).hasSize(1);
    }

    @Test
    void flames_of_what_is_private_are_its_members_alone_and_rubbish_is_not_found() {
        ShownRegressions hidden = new ShownRegressions(service, "private");
        hidden.diagnostic(hidden.rows.good, 3.2, GOOD_STACKS);
        hidden.diagnostic(hidden.rows.young, 3.2, NEW_STACKS);
        for (String twin : List.of("", ".json", ".csv")) {
            for (Role role : List.of(Role.ANONYMOUS, Role.STRANGER)) {
                as(role).get()
                        .uri(hidden.flames(twin))
                        .exchange()
                        .expectStatus()
                        .isNotFound();
            }
            as(Role.OWNER)
                    .get()
                    .uri(hidden.flames(twin))
                    .exchange()
                    .expectStatus()
                    .isOk();
            client.get()
                    .uri("/flames" + twin + "?a=x&b=%27")
                    .exchange()
                    .expectStatus()
                    .isNotFound();
            client.get().uri("/flames" + twin).exchange().expectStatus().isNotFound();
        }
    }
}
