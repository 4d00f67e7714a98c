package dev.loomboard.workspace;

import static dev.loomboard.kit.Forms.location;
import static dev.loomboard.kit.Forms.send;
import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.kernel.ExternalId;
import dev.loomboard.kit.Cast.Role;
import dev.loomboard.kit.People;
import dev.loomboard.kit.RankedMachines;
import dev.loomboard.kit.WebTest;
import java.util.List;
import java.util.Map;
import org.jsoup.nodes.Document;
import org.junit.jupiter.api.Test;
import org.springframework.test.web.reactive.server.EntityExchangeResult;
import org.springframework.test.web.reactive.server.WebTestClient;

/** How people make, show, hide and delete workspaces. */
final class WorkspacePagesTest extends WebTest {

    private final People people = new People(database);
    private final String slug = "ws-" + ExternalId.random("wsp").value().substring(4, 12);

    @Test
    void who_makes_a_workspace_owns_it_and_new_things_go_there() {
        People.Somebody ada = people.add("Ada");
        WebTestClient her = browser(ada.session());
        assertThat(page(her, "/workspaces").text()).contains("You belong to no workspace");
        her.get().uri("/machines/new").exchange().expectStatus().isForbidden();

        assertThat(location(send(her, "/workspaces", Map.of("name", "Lab " + slug, "slug", slug))))
                .isEqualTo("/w/" + slug);
        assertThat(page(client, "/w/" + slug).text()).contains("Lab " + slug, "1 owner", "0 members");
        assertThat(page(her, "/workspaces")
                        .select("tbody tr:contains(" + slug + ")")
                        .text())
                .contains("owner", "chosen");
        page(her, "/machines/new");

        String other = slug + "-b";
        send(her, "/workspaces", Map.of("name", "Second", "slug", other));
        assertThat(firstOffered(her)).isEqualTo(other);
        assertThat(page(her, "/workspaces").select(".switcher option").eachAttr("value"))
                .as("in the header, the chosen one first")
                .containsExactly(other, slug);
        assertThat(location(send(her, "/workspaces/choose", Map.of("workspace", slug))))
                .isEqualTo("/w/" + slug);
        assertThat(firstOffered(her)).isEqualTo(slug);
        EntityExchangeResult<byte[]> made =
                send(her, "/machines/new", Map.of("name", "My bench", "visibility", "public"));
        assertThat(made.getStatus().value()).isEqualTo(200);
        assertThat(number("select count(*) from registration_token join workspace using (workspace_id) where slug = '"
                        + slug + "'"))
                .as("a form that names no workspace takes the chosen one")
                .isEqualTo(1);
        assertThat(send(her, "/workspaces/choose", Map.of("workspace", "main"))
                        .getStatus()
                        .value())
                .as("one that she does not belong to")
                .isEqualTo(422);
        assertThat(number("select count(*) from audit_event where action = 'workspace.create' and actor = '" + ada.id()
                        + "' and workspace_id is not null"))
                .isEqualTo(2);
    }

    @Test
    void names_in_addresses_follow_rules_and_nobody_makes_more_than_allowed() {
        People.Somebody ada = people.add("Ada");
        WebTestClient her = browser(ada.session());
        for (String wrong : new String[] {"main", "api", "-x", "A", "a b", "x".repeat(57), "elsewhere"}) {
            EntityExchangeResult<byte[]> refused = send(her, "/workspaces", Map.of("name", "Some name", "slug", wrong));
            assertThat(refused.getStatus().value()).as(wrong).isEqualTo(422);
            assertThat(document(refused).select("#slug-problem").text())
                    .as(wrong)
                    .isNotEmpty();
            assertThat(document(refused).select("#name").attr("value")).isEqualTo("Some name");
        }
        assertThat(document(send(her, "/workspaces", Map.of("name", "x".repeat(81), "slug", slug)))
                        .select("#name-problem")
                        .text())
                .contains("1 to 80");
        for (int i = 0; i < 5; i++) {
            assertThat(location(send(her, "/workspaces", Map.of("name", slug + " no " + i))))
                    .as("the address is made of the name")
                    .isEqualTo("/w/" + slug + "-no-" + i);
        }
        EntityExchangeResult<byte[]> sixth = send(her, "/workspaces", Map.of("name", slug + " six"));
        assertThat(sixth.getStatus().value()).isEqualTo(422);
        assertThat(document(sixth).select("#name-problem").text()).contains("one too many", "5");
    }

    @Test
    void private_workspace_covers_what_is_in_it_and_uncovers_it_again() {
        String scenario = slug + "@1?;constant:rate=300,seconds=12";
        RankedMachines machines = new RankedMachines(service);
        machines.ranked(slug + "-in", scenario, 101);
        machines.ranked(slug + "-out", scenario, 110);
        WebTestClient owner = browser(owner(slug).session());
        moved(slug + "-in");
        String machine = "/w/" + slug + "/machines/" + slug + "-in";
        String run = text(
                "select r.external_id from run r join machine m using (machine_id) where m.slug = '" + slug + "-in'");
        page(client, machine);
        page(client, "/runs/" + run);
        send(owner, machine + "/reruns", Map.of("reruns", "off"));

        assertThat(send(owner, "/w/" + slug + "/visibility", Map.of("visibility", "private"))
                        .getStatus()
                        .value())
                .isEqualTo(303);
        for (String path : new String[] {"/w/" + slug, "/w/" + slug + ".json", machine, "/runs/" + run}) {
            client.get().uri(path).exchange().expectStatus().isNotFound();
            as(Role.STRANGER).get().uri(path).exchange().expectStatus().isNotFound();
            owner.get().uri(path).exchange().expectStatus().isOk();
        }
        assertThat(machines.ranks(scenario)).containsExactly(slug + "-in 1–1 of 1", slug + "-out 1–1 of 1");
        assertThat(page(client, "/machines").html()).doesNotContain(slug + "-in");
        send(owner, machine + "/visibility", Map.of("visibility", "public"));
        client.get().uri(machine).exchange().expectStatus().isNotFound();

        send(owner, "/w/" + slug + "/visibility", Map.of("visibility", "public"));
        page(client, machine);
        page(client, "/runs/" + run);
        assertThat(machines.ranks(scenario)).containsExactly(slug + "-in 1–1 of 2", slug + "-out 2–2 of 2");

        send(owner, machine + "/visibility", Map.of("visibility", "private"));
        send(owner, "/w/" + slug + "/visibility", Map.of("visibility", "private"));
        send(owner, "/w/" + slug + "/visibility", Map.of("visibility", "public"));
        client.get().uri("/w/" + slug).exchange().expectStatus().isOk();
        client.get()
                .uri(machine)
                .exchange()
                .expectStatus()
                .isNotFound(); // what its owner said of the machine was not forgotten
    }

    @Test
    void workspace_is_renamed_for_people_and_keeps_its_address() {
        WebTestClient owner = browser(owner(slug).session());
        assertThat(location(send(owner, "/w/" + slug + "/settings", Map.of("name", "New name"))))
                .isEqualTo("/w/" + slug + "/settings");
        assertThat(page(client, "/w/" + slug).select("h1").text()).isEqualTo("New name");
        EntityExchangeResult<byte[]> refused = send(owner, "/w/" + slug + "/settings", Map.of("name", " "));
        assertThat(refused.getStatus().value()).isEqualTo(422);
        assertThat(document(refused).select("#name-problem").text()).contains("1 to 80");
    }

    @Test
    void workspace_is_deleted_by_its_name_when_nothing_runs_and_stays_gone() {
        RankedMachines machines = new RankedMachines(service);
        machines.ranked(slug + "-in", slug + "@1?;constant:rate=300,seconds=12", 101);
        People.Somebody ada = owner(slug);
        WebTestClient owner = browser(ada.session());
        moved(slug + "-in");
        execute("update run set state = 'queued' where machine_id = " + machine(slug + "-in"));
        String delete = "/w/" + slug + "/delete";
        assertThat(document(send(owner, delete, Map.of("confirmed", "something else")))
                        .select("#confirmed-problem")
                        .text())
                .contains("must be " + slug);
        assertThat(document(send(owner, delete, Map.of("confirmed", slug)))
                        .select("#confirmed-problem")
                        .text())
                .contains("a run of it is not over");
        execute("update run set state = 'done' where machine_id = " + machine(slug + "-in"));

        assertThat(location(send(owner, delete, Map.of("confirmed", slug)))).isEqualTo("/workspaces");
        owner.get().uri("/w/" + slug).exchange().expectStatus().isNotFound();
        client.get()
                .uri("/w/" + slug + "/machines/" + slug + "-in")
                .exchange()
                .expectStatus()
                .isNotFound();
        assertThat(number("select count(*) from machine where slug = '" + slug + "-in' and revoked_at is not null"))
                .isEqualTo(1);
        assertThat(document(send(owner, "/workspaces", Map.of("name", "Again", "slug", slug)))
                        .select("#slug-problem")
                        .text())
                .contains("taken");
        assertThat(document(send(as(Role.OWNER), "/w/main/delete", Map.of("confirmed", "main")))
                        .select("#confirmed-problem, h2#delete + p")
                        .text())
                .contains("of the installation itself");
        page(as(Role.OWNER), "/w/main");
    }

    @Test
    void long_list_shows_its_first_twenty_and_all_when_asked() {
        WebTestClient owner = browser(owner(slug).session());
        assertThat(listed(owner, "/w/" + slug)).isEmpty();
        execute("""
                insert into matrix (external_id, workspace_id, slug, title, visibility, spec, source)
                select 'mtx_' || w.slug || n, w.workspace_id, 'm' || n, 'Matrix ' || to_char(n, 'FM000'), 'public', x.spec, x.source
                  from workspace w, generate_series(1, 21) n, (select spec, source from matrix where slug = 'starter' limit 1) x
                 where w.slug = '%s'
                """.formatted(slug));
        assertThat(listed(owner, "/w/" + slug))
                .hasSize(20)
                .contains("Matrix 001")
                .doesNotContain("Matrix 021");
        String whole = page(owner, "/w/" + slug).select("a:contains(All 21)").attr("href");
        assertThat(listed(owner, whole)).hasSize(21).contains("Matrix 021");
        assertThat(page(owner, whole).select("a:contains(All)")).isEmpty();
    }

    private List<String> listed(WebTestClient as, String path) {
        return page(as, path).select("li a[href*=/matrices/]").eachText();
    }

    @Test
    void owner_of_a_workspace_without_machines_is_shown_the_way_to_one() {
        WebTestClient owner = browser(owner(slug).session());
        String way = page(owner, "/w/" + slug)
                .select("a:contains(Register a machine)")
                .attr("href");
        assertThat(way).isEqualTo("/machines/new?workspace=" + slug);
        send(owner, "/workspaces", Map.of("name", "Another", "slug", slug + "-c"));
        assertThat(page(owner, way).select("#workspace option[selected]").attr("value"))
                .as("the workspace that it was asked from, though another is chosen")
                .isEqualTo(slug);
        assertThat(page(client, "/w/" + slug).select("a:contains(Register a machine)"))
                .isEmpty();
    }

    private People.Somebody owner(String workspace) {
        People.Somebody ada = people.add("Ada");
        send(browser(ada.session()), "/workspaces", Map.of("name", "Lab", "slug", workspace));
        return ada;
    }

    /** Takes a machine, and what it measured, out of the default workspace. */
    private void moved(String machine) {
        String into = " set workspace_id = (select workspace_id from workspace where slug = '" + slug + "')";
        String its = " where machine_id = " + machine(machine);
        for (String table : new String[] {"machine", "run", "series", "leaderboard_entry"}) {
            execute("update " + table + into + its);
        }
    }

    private long machine(String named) {
        return number("select machine_id from machine where slug = '" + named + "'");
    }

    private String text(String sql) {
        return await(database.sql(sql).map(row -> row.get(0, String.class)).one());
    }

    private String firstOffered(WebTestClient as) {
        Document form = page(as, "/machines/new");
        return form.select("#workspace option").attr("value");
    }
}
