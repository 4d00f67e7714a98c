package dev.loomboard.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.inbox.ShownBisection;
import dev.loomboard.inbox.ShownControl;
import dev.loomboard.inbox.ShownRegressions;
import dev.loomboard.kit.Cast.Role;
import dev.loomboard.kit.WebTest;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.web.reactive.function.BodyInserters;
import tools.jackson.databind.JsonNode;

/** Changes for scripts, as the description has it. */
final class RegressionContractTest extends WebTest {

    private static final String LIST = "GET /api/v1/regressions";

    private final Conversation scripts = new Conversation(Contract.SCRIPTS);

    @Test
    void changes_are_listed_by_state_with_what_the_rerun_said() {
        ShownRegressions shown = ShownRegressions.shared();
        JsonNode open = list("?state=open&machine=" + shown.rows.name);
        assertThat(ids(open)).containsExactly(shown.regression);
        JsonNode regression = open.at("/regressions/0");
        assertThat(regression.path("verdict").asString()).isEqualTo("slower");
        assertThat(regression.path("effect").asDouble()).isGreaterThan(1.19);
        assertThat(regression.path("triage").asString()).isEqualTo("open");
        assertThat(regression.path("rerun").asString()).isEqualTo(shown.rerun);
        assertThat(ids(list("?machine=" + shown.rows.name))).containsExactly(shown.regression);
        assertThat(ids(list("?state=suspect&machine=" + shown.rows.name))).containsExactly(shown.suspect);
        assertThat(ids(list("?state=improvement&machine=" + shown.rows.name))).containsExactly(shown.improvement);
        JsonNode cleared = list("?state=cleared&jdk=" + shown.rows.young).at("/regressions/0");
        assertThat(cleared.path("id").asString()).isEqualTo(shown.cleared);
        assertThat(cleared.path("triage").isNull()).isTrue();
        assertThat(list("?limit=1").path("regressions")).hasSize(1);
    }

    @Test
    void regression_carries_its_bisection_step_by_step() {
        ShownBisection shown = new ShownBisection(service, "public", 3);
        String path = "/regressions/" + shown.regression;
        String trials = page(as(Role.OWNER), path)
                .select("#bisection input[name=trials]")
                .attr("value");
        as(Role.OWNER)
                .post()
                .uri(path + "/bisection")
                .body(BodyInserters.fromFormData("trials", trials))
                .exchange()
                .expectStatus()
                .isSeeOther();
        JsonNode started = list("?machine=" + shown.rows.name).at("/regressions/0/bisection");
        assertThat(started.path("state").asString()).isEqualTo("running");
        assertThat(started.path("builds")).hasSize(4);
        shown.go(shown.between.get(1));
        JsonNode done = list("?machine=" + shown.rows.name).at("/regressions/0/bisection");
        assertThat(done.at("/credible/0").asString()).isEqualTo(shown.between.get(1));
        assertThat(done.at("/steps/0/state").asString()).isEqualTo("measured");
    }

    @Test
    void regression_carries_what_a_control_said_or_that_there_is_none() {
        ShownControl shown = new ShownControl(service, "public");
        shown.confirm();
        JsonNode none = list("?machine=" + shown.rows.name).at("/regressions/0/control");
        assertThat(none.path("beside").isNull()).isTrue();
        ShownControl beside = new ShownControl(service, "public");
        beside.nights(1);
        beside.confirm();
        JsonNode control = list("?machine=" + beside.rows.name).at("/regressions/0/control");
        assertThat(control.at("/beside/left").asString()).isEqualTo("remains");
    }

    @Test
    void unknown_state_or_limit_is_refused_by_name() {
        for (String query : List.of("?state=closed", "?limit=0", "?limit=301")) {
            assertThat(scripts.call(client, LIST + query, null)
                            .expect(422)
                            .json()
                            .at("/errors/0/field")
                            .asString())
                    .isEqualTo(query.substring(1, query.indexOf('=')));
        }
    }

    @Test
    void private_changes_are_for_tokens_of_their_workspace() {
        ShownRegressions hidden = new ShownRegressions(service, "private");
        String query = "?machine=" + hidden.rows.name;
        assertThat(ids(list(query))).isEmpty();
        assertThat(ids(scripts.call(as(Role.TOKEN), LIST + query, null)
                        .expect(200)
                        .json()))
                .containsExactly(hidden.regression);
    }

    private JsonNode list(String query) {
        return scripts.call(client, LIST + query, null).expect(200).json();
    }

    private static List<String> ids(JsonNode answer) {
        return answer.path("regressions")
                .valueStream()
                .map(r -> r.path("id").asString())
                .toList();
    }
}
