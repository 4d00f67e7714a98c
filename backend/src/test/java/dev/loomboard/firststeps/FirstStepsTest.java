package dev.loomboard.firststeps;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.kernel.AccountId;
import dev.loomboard.kernel.Caller;
import dev.loomboard.kernel.ExternalId;
import dev.loomboard.kernel.Role;
import dev.loomboard.kernel.WorkspaceId;
import dev.loomboard.kit.WebTest;
import dev.loomboard.web.PageContext;
import dev.loomboard.web.PageRenderer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.junit.jupiter.api.Test;

/** The steps of a person whose workspace is empty at first. */
final class FirstStepsTest extends WebTest {

    private final String slug = ExternalId.random("wsp").value().substring(4);
    private final WorkspaceId workspace =
            new WorkspaceId(number("insert into workspace (external_id, slug, name) values (new_external_id('wsp'), '"
                    + slug + "', 'Steps') returning workspace_id"));
    private final Caller.Person nora = person(Role.OWNER);

    @Test
    void each_step_ticks_when_it_is_done_and_says_what_comes_next() {
        assertThat(classes()).containsExactly("next", "", "", "");
        assertThat(shown().select("li.next a").attr("href")).isEqualTo("/machines/new");

        long machine = number("""
                insert into machine (external_id, workspace_id, slug, name, agent_key_hash, agent_key_last4)
                values (new_external_id('mac'), %d, 'bench', 'Bench', sha256(random()::text::bytea), 'abcd') returning machine_id
                """.formatted(workspace.value()));
        assertThat(classes()).containsExactly("ticked", "next", "", "");
        assertThat(shown().select("li.next").text()).contains("Waiting for Bench", "loomboard-agent run");

        execute("update machine set last_seen_at = now() where machine_id = " + machine);
        assertThat(classes()).containsExactly("ticked", "ticked", "next", "");
        assertThat(shown().select("#first-steps form").attr("action")).isEqualTo("/w/main/matrices/starter/run");
        assertThat(shown().select("input[name=machine]").attr("value")).isEqualTo(slug + "/bench");
        assertThat(shown().select("a[href^=/schedules/new?matrix=]")).hasSize(1);

        execute("""
                insert into run (external_id, workspace_id, machine_id, matrix_id, title, visibility, spec, state, methodology, created_by)
                select new_external_id('run'), %d, %d, matrix_id, 'A first look', 'private', spec, 'queued', 'm1', 'test'
                  from matrix where slug = 'starter' limit 1
                """.formatted(workspace.value(), machine));
        assertThat(classes()).containsExactly("ticked", "ticked", "ticked", "next");
        assertThat(shown().select("#first-steps form")).isEmpty();
        assertThat(page().done()).isFalse();

        execute("update run set state = 'failed' where workspace_id = " + workspace.value());
        assertThat(classes())
                .as("a run that failed is to be made again")
                .containsExactly("ticked", "ticked", "next", "");
    }

    @Test
    void the_steps_are_for_those_who_may_register_a_machine() {
        FirstStepsService steps = service.bean(FirstStepsService.class);
        assertThat(isEmpty(steps.of(person(Role.VIEWER)))).isTrue();
        assertThat(isEmpty(steps.of(new Caller.Anonymous()))).isTrue();
    }

    private Caller.Person person(Role role) {
        return new Caller.Person(new AccountId(1), "acc_none", "Nora", false, Map.of(workspace, role));
    }

    private FirstStepsPage page() {
        return await(service.bean(FirstStepsService.class).of(nora));
    }

    private List<String> classes() {
        return shown().select("ol.steps > li").stream()
                .map(li -> li.className())
                .toList();
    }

    private Document shown() {
        byte[] body = service.bean(PageRenderer.class)
                .show(new PageContext(nora, "/first-steps", "", false, () -> "token"), page())
                .getBody();
        return Jsoup.parse(new String(Objects.requireNonNull(body), StandardCharsets.UTF_8));
    }
}
