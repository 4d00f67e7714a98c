package dev.loomboard.jdkpages;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.kernel.ExternalId;
import dev.loomboard.kit.SevenBlocks;
import dev.loomboard.kit.WebTest;
import java.util.Objects;
import org.jsoup.nodes.Document;
import org.junit.jupiter.api.Test;
import org.springframework.transaction.reactive.TransactionalOperator;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What the page of a build says that it changed. */
final class BuildStepTest extends WebTest {

    private final String name = "step-" + ExternalId.random("tmp").value().substring(4);

    @Test
    void build_is_set_against_the_last_release_with_verdicts_and_the_surest_differences() {
        SevenBlocks run = judged("public");
        String path = "/jdks/26/" + run.candidate;
        Document page = page(client, path);
        assertThat(page.select("#changed h3").text()).startsWith("Against the last release");
        assertThat(page.select("#changed").text())
                .contains("1 slower", "See all of them", "adjusted p")
                .doesNotContain("Against the build before");
        assertThat(page.select("#changed a[href=/compare?a=" + run.baseline + "&b=" + run.candidate + "]"))
                .hasSize(1);
        assertThat(page(client, "/jdks/25/" + run.baseline).select("#changed"))
                .as("nothing of its vendor is before it")
                .isEmpty();
        JsonNode twin = service.bean(JsonMapper.class)
                .readTree(Objects.requireNonNull(client.get()
                        .uri(path + ".json")
                        .exchange()
                        .expectStatus()
                        .isOk()
                        .expectBody()
                        .returnResult()
                        .getResponseBody()));
        assertThat(twin.at("/steps/0/to").asString()).isEqualTo("release");
        assertThat(twin.at("/steps/0/other").asString()).isEqualTo(run.baseline);
        assertThat(twin.at("/steps/0/tally/slower").asInt()).isEqualTo(1);
    }

    @Test
    void stranger_sees_nothing_of_private_results() {
        SevenBlocks run = judged("private");
        client.get().uri("/jdks/26/" + run.candidate).exchange().expectStatus().isNotFound();
        assertThat(page(browser(cast.memberSession()), "/jdks/26/" + run.candidate)
                        .select("#changed")
                        .text())
                .contains("1 slower");
    }

    /** Two builds of a vendor of their own, so that no other test's are between them. */
    private SevenBlocks judged(String visibility) {
        SevenBlocks run =
                new SevenBlocks(database, service.bean(TransactionalOperator.class), name, visibility).end("done");
        execute("update jdk_build set vendor = '" + name + "' where slug in ('" + run.baseline + "', '" + run.candidate
                + "')");
        execute("update series set track_vendor = '" + name
                + "' where series_id in (select series_id from point where run_id = " + run.run + ")");
        return run;
    }
}
