package dev.loomboard.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.kit.Cast.Role;
import dev.loomboard.kit.Service;
import dev.loomboard.kit.SevenBlocks;
import dev.loomboard.kit.VariantBlocks;
import dev.loomboard.kit.WebTest;
import org.junit.jupiter.api.Test;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.transaction.reactive.TransactionalOperator;
import tools.jackson.databind.JsonNode;

/** Two builds for scripts, as the description has it. */
final class ComparisonContractTest extends WebTest {

    private static final String COMPARE = "GET /api/v1/comparisons";

    private static final String SIDES = "GET /api/v1/comparisons/{axis}";

    private final Conversation scripts = new Conversation(Contract.SCRIPTS);

    @Test
    void verdicts_come_first_and_a_filter_changes_none() {
        SevenBlocks run = blocks("contract-open", "public");
        JsonNode all = compare(run, "").expect(200).json();
        assertThat(all.at("/tests/0/verdict").asString()).isEqualTo("slower");
        assertThat(all.at("/tests/0/adjustedP").asDouble()).isLessThan(0.01);
        assertThat(all.path("tests")).hasSize(run.familySize());
        assertThat(all.path("tests").valueStream().map(t -> t.path("familySize").asInt()))
                .containsOnly(run.familySize());
        assertThat(compare(run, "&scenario=io").expect(200).json()).isEqualTo(all);
        assertThat(compare(run, "&scenario=matmul").expect(200).json().path("tests"))
                .isEmpty();
    }

    @Test
    void unknown_builds_are_refused_by_name_with_those_there_are() {
        SevenBlocks run = blocks("contract-known", "public");
        JsonNode problem = scripts.call(client, COMPARE + "?baseline=none-1&candidate=" + run.candidate, null)
                .expect(422)
                .json();
        assertThat(problem.at("/errors/0/field").asString()).isEqualTo("baseline");
        assertThat(problem.at("/errors/0/message").asString()).contains("none-1", run.baseline, run.candidate);
        scripts.call(client, COMPARE + "?baseline=" + run.baseline + "&candidate=" + run.baseline, null)
                .expect(422);
    }

    @Test
    void private_runs_are_for_tokens_of_their_workspace() {
        SevenBlocks run = blocks("contract-hidden", "private");
        compare(run, "").expect(422);
        JsonNode seen = scripts.call(
                        as(Role.TOKEN), COMPARE + "?baseline=" + run.baseline + "&candidate=" + run.candidate, null)
                .expect(200)
                .json();
        assertThat(seen.at("/tests/0/verdict").asString()).isEqualTo("slower");
    }

    @Test
    void variants_and_runs_are_compared_for_whoever_sees_them() {
        VariantBlocks blocks = new VariantBlocks(
                        Service.shared().bean(DatabaseClient.class),
                        Service.shared().bean(TransactionalOperator.class),
                        "contract-sides")
                .run("public")
                .run("private");
        JsonNode servers = sides("server", blocks.side("first"), blocks.side("slow"))
                .expect(200)
                .json();
        assertThat(servers.at("/tests/0/verdict").asString()).isEqualTo("slower");
        assertThat(servers.at("/tests/0/jdk").asString()).isEqualTo(blocks.jdk);
        assertThat(servers.path("url").asString()).startsWith("/compare?axis=server&a=spring-mvc%2F");
        sides("run", blocks.runs.get(0), blocks.runs.get(1)).expect(422);
        assertThat(scripts.call(
                                as(Role.TOKEN),
                                SIDES + "?baseline=" + blocks.runs.get(0) + "&candidate=" + blocks.runs.get(1),
                                null,
                                "run")
                        .expect(200)
                        .json()
                        .at("/tests/0/reason")
                        .asString())
                .contains("not interleaved");
        sides("server", "none/none", blocks.side("slow")).expect(422);
        sides("moon", "a", "b").expect(404);
    }

    private Conversation.Answer sides(String axis, String baseline, String candidate) {
        return scripts.call(client, SIDES + "?baseline=" + baseline + "&candidate=" + candidate, null, axis);
    }

    private Conversation.Answer compare(SevenBlocks run, String more) {
        return scripts.call(client, COMPARE + "?baseline=" + run.baseline + "&candidate=" + run.candidate + more, null);
    }

    private static SevenBlocks blocks(String name, String visibility) {
        return new SevenBlocks(
                        Service.shared().bean(DatabaseClient.class),
                        Service.shared().bean(TransactionalOperator.class),
                        name,
                        visibility)
                .end("done");
    }
}
