package dev.loomboard.ingest;

import static dev.loomboard.ingest.Examples.array;
import static dev.loomboard.ingest.Examples.batch;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.loomboard.kit.Cast;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** The operations of a mix, from the upload to the pages of its trial and of its run. */
final class MixUploadTest extends UploadWebTest {

    /** Of the contract's example: 90 requests of the one, 10 of the other, of which 2 failed. */
    private static final JsonNode SENT = array(batch("mix"), "/steps/0/operations");

    @BeforeEach
    void upload() throws IOException {
        assertThat(put("first", b -> {})).isEqualTo(204);
        assertThat(put("mix", b -> {})).isEqualTo(204);
        assertThat(put("mix", b -> {})).as("the same again").isEqualTo(204);
        assertThat(put("last", b -> b.remove("steps"))).isEqualTo(204);
    }

    @Test
    void operations_are_stored_as_they_were_sent() {
        assertThat(rows("""
                select operation, weight, offered, sent, completed, failed, unfinished, completed_in_step,
                       encode(response, 'base64'), encode(response_failed, 'base64')
                  from step_operation join trial using (trial_id) where external_id = '%s' order by operation
                """.formatted(plan.trial())))
                .isEqualTo(SENT.valueStream()
                        .map(o -> List.of(
                                o.path("name").asString(),
                                o.path("weight").asString(),
                                o.path("offered").asString(),
                                o.path("sent").asString(),
                                o.path("completed").asString(),
                                o.path("failed").asString(),
                                o.path("unfinished").asString(),
                                o.path("completedInStep").asString(),
                                o.path("response").asString(),
                                o.path("responseFailed").asString("null")))
                        .toList());
    }

    @Test
    void trial_shows_a_row_for_each_operation_and_one_for_all() {
        JsonNode operations = json("/trials/" + plan.trial() + ".json").path("operations");
        assertThat(operations).hasSize(2);
        JsonNode visit = operations.path(0);
        assertThat(visit.path("name").asString()).isEqualTo("new-visit");
        assertThat(visit.at("/errors/0/class").asString()).isEqualTo("status");
        assertThat(visit.at("/metrics/error_ratio/value").asDouble()).isEqualTo(0.2);
        assertThat(visit.at("/metrics/throughput_per_s/value").asDouble()).isEqualTo(7);
        assertThat(visit.at("/metrics/response_p50_ms/value").asDouble()).isCloseTo(24, within(0.1));
        assertThat(visit.at("/metrics/response_p99_ms/value").asDouble()).isCloseTo(30_000, within(30.0));
        assertThat(operations.at("/1/metrics/response_p50_ms/value").asDouble()).isCloseTo(3.2, within(0.1));

        Element section = Objects.requireNonNull(
                page(as(Cast.Role.OWNER), "/trials/" + plan.trial()).selectFirst("#operations"));
        List<String> heads =
                section.select("tbody th").stream().map(Element::ownText).toList();
        assertThat(heads).containsExactly("all operations", "new-visit", "owner");
        assertThat(cells(section, 1)).startsWith("1", "10.0 %", "10", "7.00", "20.0 %");
        assertThat(cells(section, 2)).startsWith("9", "90.0 %", "90", "90.00");
        assertThat(section.select("tbody th").get(1).text()).contains("2 × status: 409 Conflict, must be 302");
        assertThat(section.text()).contains("not the mean of the others").doesNotContain("NaN");
    }

    @Test
    void run_shows_operations_of_its_cells() {
        String run = text("select run.external_id from run join trial using (run_id)", "trial.trial_id");
        JsonNode operations = json("/runs/" + run + ".json").at("/cells/0/operations");
        assertThat(operations).hasSize(2);
        assertThat(operations.at("/0/share").asDouble()).isEqualTo(0.1);
        assertThat(operations.at("/0/readings/error_ratio/mean").asDouble()).isEqualTo(0.2);
        assertThat(operations.at("/0/trials/0/trial").asString()).isEqualTo(plan.trial());
        Document page = page(as(Cast.Role.OWNER), "/runs/" + run);
        assertThat(page.select("[aria-label='Operations of mixes'] tbody tr")).hasSize(2);
        assertThat(body("/runs/" + run + ".csv"))
                .contains("throughput_per_s,7.0,true,new-visit")
                .contains("throughput_per_s,90.0,true,owner");
    }

    private static List<String> cells(Element section, int row) {
        return section.select("tbody tr").get(row).select("td").stream()
                .map(cell -> cell.text().replaceAll("\\p{Z}", " "))
                .toList();
    }

    private List<List<String>> rows(String sql) {
        return await(database.sql(sql)
                .map(row -> IntStream.range(0, 10)
                        .mapToObj(i -> String.valueOf(row.get(i)).replace("\n", ""))
                        .toList())
                .all()
                .collectList());
    }

    private JsonNode json(String path) {
        return Examples.PLAIN.readTree(body(path));
    }

    private String body(String path) {
        return new String(
                Objects.requireNonNull(as(Cast.Role.OWNER)
                        .get()
                        .uri(path)
                        .exchange()
                        .expectStatus()
                        .isOk()
                        .expectBody()
                        .returnResult()
                        .getResponseBodyContent()),
                StandardCharsets.UTF_8);
    }
}
