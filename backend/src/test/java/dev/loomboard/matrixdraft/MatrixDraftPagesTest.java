package dev.loomboard.matrixdraft;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.kit.Cast.Role;
import dev.loomboard.kit.TestMachine;
import dev.loomboard.kit.WebTest;
import java.util.Map;
import java.util.Objects;
import org.jsoup.nodes.Document;
import org.junit.jupiter.api.Test;

/** A matrix that is picked together, without scripts: each state is an address. */
final class MatrixDraftPagesTest extends WebTest {

    private final TestMachine machine = TestMachine.registered(as(Role.TOKEN), client, "public");
    private final String draft = "/matrices/new/draft?machine=main/" + machine.slug();
    private final String ticked = draft + "&picked=main/" + machine.slug()
            + "&base=main/starter&name=mine&title=Mine&variant=spring-mvc/virtual";

    @Test
    void begins_with_what_the_machine_has_of_another_matrix_and_is_saved_as_it_stands() {
        Document page = page(as(Role.OWNER), draft + "&base=main/starter");
        assertThat(page.select("#base option[selected]").text()).contains("quick/1");
        assertThat(page.select("input[name=variant][checked]").eachAttr("value"))
                .contains("spring-mvc/virtual");
        assertThat(page.select("input[name=workload]").eachAttr("value")).contains("io");
        assertThat(page.select("#jdks").val())
                .as("all builds only fill up to the starter's two")
                .isEmpty();
        assertThat(page.select("#draft-preview").text()).contains("each with a server started for it", "at most about");
        String source = page.select("#source").text();
        assertThat(source).contains("protocol: quick/1", "name: my-starter", "spring-mvc");
        form(
                        as(Role.OWNER),
                        "/matrices/new",
                        Map.of("source", source.replace("my-starter", "picked-" + machine.slug())))
                .expectStatus()
                .isSeeOther();
    }

    @Test
    void file_and_forecast_follow_what_is_ticked() {
        Document page = page(as(Role.OWNER), ticked + "&workload=io&jdk=25&rate=250&seconds=8&trials=7");
        assertThat(page.select("#source").text())
                .contains("name: mine", "rate: 250", "seconds: 8", "scored: 7")
                .doesNotContain("platform-100", "latest-ea");
        assertThat(page.select("#draft-preview").text()).contains("1 cell");
        assertThat(page.select("#rate").val()).isEqualTo("250");
        assertThat(page.select("input[name=jdk][checked]").eachAttr("value")).containsExactly("25");
        Document more = page(as(Role.OWNER), ticked + "&workload=io&jdks=25+previous-ea");
        assertThat(more.select("#source").text()).contains("- '25'\n", "previous-ea");
    }

    @Test
    void another_machine_begins_anew_and_keeps_what_was_typed() {
        Document page = page(
                as(Role.OWNER),
                draft + "&picked=main/elsewhere&base=main/starter&name=kept&title=Kept&rate=250&variant=no-such/one");
        assertThat(page.select("input[name=variant][checked]").eachAttr("value"))
                .contains("spring-mvc/virtual");
        assertThat(page.select("#source").text()).contains("name: kept", "rate: 250");
    }

    @Test
    void what_is_missing_or_cannot_be_is_said_and_nothing_typed_is_lost() {
        Document none = page(as(Role.OWNER), draft + "&picked=main/" + machine.slug() + "&name=mine&title=Mine");
        assertThat(none.select("#draft-preview li").eachText())
                .containsExactly(
                        "JDK builds choose at least one",
                        "servers choose at least one variant",
                        "workloads choose at least one");
        assertThat(none.select("#source")).isEmpty();
        Document odd = page(as(Role.OWNER), ticked + "&workload=io&jdk=25&rate=many&trials=2.5&jdks=lattest-ea");
        assertThat(odd.select("#draft-preview li").eachText())
                .containsExactly("rate must be a number such as 300, is: many", "trials must be a whole number");
        assertThat(odd.select("#rate").val()).isEqualTo("many");
        Document typo = page(as(Role.OWNER), ticked + "&workload=io&jdks=lattest-ea");
        assertThat(typo.select("#draft-preview li").text()).contains("jdks[0]", "lattest-ea");
        Document unnamed = page(as(Role.OWNER), ticked.replace("name=mine", "name=") + "&workload=io&jdk=25");
        assertThat(unnamed.select("#draft-preview li strong").eachText()).contains("name");
        Document absent =
                page(as(Role.OWNER), ticked.replace("spring-mvc/virtual", "no-such/one") + "&workload=io&jdk=25");
        assertThat(absent.select("#draft-preview li").text())
                .as("of what the machine does not have nothing is taken")
                .contains("choose at least one variant");
    }

    @Test
    void list_of_matrices_leads_here_and_from_here_to_the_file() {
        assertThat(page(as(Role.OWNER), "/matrices")
                        .select("a[href=/matrices/new/draft]")
                        .text())
                .isEqualTo("New matrix");
        Document page = page(as(Role.OWNER), draft);
        assertThat(page.select("#main a[href=/matrices/new]").text()).isEqualTo("write as YAML");
        assertThat(Objects.requireNonNull(page.select("form[aria-label='What to measure']")
                                .first())
                        .attr("method"))
                .isEqualTo("get");
    }
}
