package dev.loomboard.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.inbox.ShownRegressions;
import dev.loomboard.kit.SevenBlocks;
import dev.loomboard.kit.WebTest;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.transaction.reactive.TransactionalOperator;
import tools.jackson.databind.JsonNode;

/** What scripts are told of retractions, as the description has it. */
final class RetractionContractTest extends WebTest {

    private final Conversation scripts = new Conversation(Contract.SCRIPTS);

    /** As RetractionService stores it. */
    private String retracted(String kind, String name, String version) {
        return await(database.sql("""
                        with a as (insert into account (external_id, email, display_name, password_hash)
                                   values (new_external_id('acc'), :version || '@example.org', 'Ada', 'none') returning account_id)
                        insert into retraction (kind, name, version, reason, retracted_by, retracted_at)
                        select :kind, :name, :version, 'wrong', account_id, now() from a returning external_id
                        """)
                .bindValues(Map.of("kind", kind, "name", name, "version", version))
                .map(row -> java.util.Objects.requireNonNull(row.get(0, String.class)))
                .one());
    }

    @Test
    void comparison_has_the_retraction_in_place_of_a_verdict() {
        SevenBlocks run = new SevenBlocks(
                        service.bean(DatabaseClient.class),
                        service.bean(TransactionalOperator.class),
                        "contract-retracted",
                        "public")
                .end("done");
        execute("update point set server_digest = 'contract-digest' where run_id = " + run.run);
        String id = retracted("server", "spring-mvc", "contract-digest");
        JsonNode tests = scripts.call(
                        client,
                        "GET /api/v1/comparisons?baseline=" + run.baseline + "&candidate=" + run.candidate,
                        null)
                .expect(200)
                .json()
                .path("tests");
        assertThat(tests).hasSize(run.familySize());
        assertThat(tests.valueStream()).allSatisfy(test -> {
            assertThat(test.at("/retracted/id").asString()).isEqualTo(id);
            assertThat(test.path("verdict").isNull()).isTrue();
            assertThat(test.path("ratio").isNull()).isTrue();
            assertThat(test.path("reason").asString()).startsWith("retracted: wrong");
        });
        JsonNode all = scripts.call(client, "GET /api/v1/retractions?limit=500", null)
                .expect(200)
                .json();
        assertThat(all.path("retractions").valueStream().map(r -> r.path("id").asString()))
                .contains(id);
        scripts.call(client, "GET /api/v1/retractions?limit=0", null).expect(422);
    }

    @Test
    void retracted_changes_are_open_no_longer_and_have_a_list_of_their_own() {
        ShownRegressions shown = new ShownRegressions(service, "public");
        String digest = shown.rows.name + "-digest";
        execute("update point set server_digest = '%s' where run_id = %d".formatted(digest, shown.rows.run));
        String machine = "machine=" + shown.rows.name;
        assertThat(ids("?" + machine)).containsExactly(shown.regression);
        String id = retracted("server", "tiny", digest);
        for (String state : List.of("open", "suspect", "improvement", "cleared")) {
            assertThat(ids("?state=" + state + "&" + machine)).isEmpty();
        }
        assertThat(ids("?" + machine)).isEmpty();
        JsonNode retracted = scripts.call(client, "GET /api/v1/regressions?state=retracted&" + machine, null)
                .expect(200)
                .json()
                .path("regressions");
        assertThat(retracted).hasSize(4);
        assertThat(retracted.valueStream().map(r -> r.at("/retracted/id").asString()))
                .containsOnly(id);
    }

    private List<String> ids(String query) {
        return scripts.call(client, "GET /api/v1/regressions" + query, null)
                .expect(200)
                .json()
                .path("regressions")
                .valueStream()
                .map(r -> r.path("id").asString())
                .toList();
    }
}
