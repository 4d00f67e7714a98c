package dev.loomboard.lookup;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.kit.Cast.Role;
import dev.loomboard.kit.Results;
import dev.loomboard.kit.WebTest;
import dev.loomboard.web.Urls;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.test.web.reactive.server.WebTestClient;
import org.springframework.web.util.UriComponentsBuilder;
import tools.jackson.databind.JsonNode;

/** What is found, by whom. */
final class LookupTest extends WebTest {

    private final Results.Ids ids = Results.shared();

    @Test
    void servers_builds_machines_matrices_and_runs_are_found_by_a_part_of_their_names() {
        assertThat(hrefs(client, "WEBFLUX reactive")).contains(Urls.server("spring-webflux"));
        assertThat(hrefs(client, "28-ea_97")).contains(Urls.jdk(28, Results.JDK_28_17));
        assertThat(hrefs(client, "bench-pag")).contains(Urls.machine("main", "bench-pages"));
        assertThat(hrefs(client, "invented-start")).contains(Urls.matrix("main", "invented-starter"));
        assertThat(hrefs(client, "Starter: a first look"))
                .as("of many workspaces that have one")
                .contains(Urls.matrix("main", "starter"));
        assertThat(hrefs(client, ids.doneRun())).containsExactly(Urls.run(ids.doneRun()));
        assertThat(page(client, "/search?q=bench-pag").select("#found a").eachAttr("href"))
                .contains(Urls.machine("main", "bench-pages"));
    }

    @Test
    void what_one_may_not_see_is_not_found() {
        assertThat(hrefs(client, ids.privateRun())).isEmpty();
        assertThat(hrefs(as(Role.STRANGER), ids.privateRun())).isEmpty();
        assertThat(hrefs(as(Role.OWNER), ids.privateRun())).containsExactly(Urls.run(ids.privateRun()));
    }

    @Test
    void signs_of_patterns_are_looked_for_as_they_stand() {
        assertThat(hrefs(client, "%")).doesNotContain(Urls.machine("main", "bench-pages"));
        assertThat(hrefs(client, "spring_mvc")).isEmpty();
        assertThat(hrefs(client, "\\")).isEmpty();
        assertThat(hrefs(client, "' or '1'='1")).isEmpty();
    }

    @Test
    void without_a_name_it_says_what_can_be_found() {
        assertThat(page(client, "/search").select("#found").text()).contains("Such as");
        assertThat(hrefs(client, "   ")).isEmpty();
    }

    private List<String> hrefs(WebTestClient as, String asked) {
        JsonNode answer = json(as.get()
                .uri(UriComponentsBuilder.fromUriString(service.url() + "/search.json")
                        .queryParam("q", "{asked}")
                        .encode()
                        .buildAndExpand(asked)
                        .toUri())
                .exchange()
                .expectStatus()
                .isOk());
        List<String> hrefs = new ArrayList<>();
        answer.get("found").forEach(one -> hrefs.add(one.get("href").asString()));
        return hrefs;
    }
}
