package dev.loomboard.trial;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.measurement.StoredJson;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The rows that the database makes as JSON, and the JSON that the page gives of them. */
final class TrialDetailTest {

    @Test
    void step_is_flat_and_says_who_sent_it_in_words() {
        TrialDetail.Step step = StoredJson.read("""
                {"ordinal": 0, "rate": 300.5, "connections": null, "transport": {"transport": "lean", "http": "1.1"},
                 "startSeconds": 10.5, "endSeconds": 22.5, "offered": 5, "sent": 4, "completed": 3, "failed": 2,
                 "unfinished": 1, "validity": "suspect", "reason": "lag", "cause": null,
                 "health": {"validity": "suspect", "lagP99Ns": 7, "new": 1}, "outcomes": {"statusCodes": {"200": 3}},
                 "percentiles": {}}
                """, TrialDetail.Step.class);
        assertThat(step.generator().lags().lagP99Ns()).isEqualTo(7);
        assertThat(tree(step)).isEqualTo(JsonMapper.shared().readTree("""
                {"ordinal": 0, "rate": 300.5, "connections": null, "sentBy": "the agent's lean transport, HTTP/1.1",
                 "startSeconds": 10.5, "endSeconds": 22.5, "offered": 5, "sent": 4, "completed": 3, "failed": 2,
                 "unfinished": 1, "validity": "suspect", "reason": "lag", "cause": null,
                 "health": {"validity": "suspect", "lagP99Ns": 7, "new": 1}, "outcomes": {"statusCodes": {"200": 3}},
                 "percentiles": {"response": {}, "service": {}, "excess": {}}}
                """));
    }

    @Test
    void sibling_does_not_show_what_its_agent_counted() {
        TrialDetail.Sibling sibling = StoredJson.read("""
                {"id": "trl_a", "kind": "diagnostic", "ordinal": 1, "state": "done", "validity": null, "late": false,
                 "contention": {"source": "jvmti", "monitorTotal": 36}, "requests": 3600}
                """, TrialDetail.Sibling.class);
        assertThat(sibling.requests()).isEqualTo(3600);
        assertThat(tree(sibling)).isEqualTo(JsonMapper.shared().readTree("""
                {"id": "trl_a", "kind": "diagnostic", "ordinal": 1, "state": "done", "validity": null, "late": false}
                """));
    }

    private static JsonNode tree(Object value) {
        return JsonMapper.shared().readTree(JsonMapper.shared().writeValueAsString(value));
    }
}
