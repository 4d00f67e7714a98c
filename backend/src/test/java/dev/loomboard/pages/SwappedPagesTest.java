package dev.loomboard.pages;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.BoundingBox;
import dev.loomboard.kit.People;
import dev.loomboard.kit.Results;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.springframework.r2dbc.core.DatabaseClient;

/** With scripts, filters, sorting and forms replace the main part of a page: its address changes, the focus stays. */
final class SwappedPagesTest extends BrowsedPages {

    private final Results.Ids ids = Results.shared();

    private Locator link(String name) {
        return page.getByRole(AriaRole.MAIN)
                .getByRole(AriaRole.LINK, new Locator.GetByRoleOptions().setName(name))
                .first();
    }

    @Test
    void sorting_and_views_replace_the_main_part_and_can_be_gone_back_to() {
        start(Results.board(Results.MATMUL));
        Locator sort = page.locator("th:not([aria-sort]) a.sort").first();
        String column = sort.innerText().strip();
        sort.focus();
        page.keyboard().press("Enter");
        assertThat(page.locator("th[aria-sort]")).containsText(column);
        assertThat(page).hasURL(Pattern.compile("sort="));
        assertThat(page.locator("a.sort:focus")).containsText(column);
        isTheSameDocument();

        link("Latency against cost").click();
        page.waitForSelector("[data-charts][data-drawn]");
        assertThat(page).hasURL(Pattern.compile("view=pareto"));
        isTheSameDocument();

        page.goBack();
        assertThat(page.locator("th[aria-sort]")).containsText(column);
    }

    @Test
    void filter_that_is_taken_or_removed_keeps_the_focus_in_its_group() {
        start(Results.board(Results.MATMUL));
        Locator menu = page.locator("details.menu").first();
        menu.locator("summary").click();
        menu.getByRole(AriaRole.LINK).first().click();
        Locator chosen = page.locator("[aria-label=Filters] a.chip.on");
        assertThat(chosen).hasCount(1);
        assertThat(page.locator("[aria-label=Filters] :focus")).hasCount(1);
        chosen.click();
        assertThat(chosen).hasCount(0);
        assertThat(page.locator("[aria-label=Filters] :focus")).hasCount(1);
        isTheSameDocument();
    }

    @Test
    void refused_form_says_so_beside_its_fields_and_keeps_its_address() {
        start("/schedules/new");
        page.getByLabel("Quartz cron", new Page.GetByLabelOptions().setExact(true))
                .check();
        page.getByLabel("Quartz cron expression").fill("0 0 25 * * ?");
        assertThat(page.locator("#preview time")).hasCount(0);
        page.fill("#title", "Refused");
        page.selectOption("#matrix", options("#matrix").getFirst());
        page.selectOption("#machine", options("#machine").getFirst());
        button("Make the schedule").click();
        assertThat(page.locator("#cron-problem")).isVisible();
        assertThat(page.locator("#title")).hasValue("Refused");
        assertThat(page).hasURL(Pattern.compile("/schedules/new$"));
        isTheSameDocument();

        page.getByLabel("Quartz cron expression").fill("0 0 5 * * ?");
        assertThat(page.locator("#preview time")).hasCount(5);
        button("Show what it would run").click();
        assertThat(page.locator("#preview time")).hasCount(5);
        assertThat(page.locator("#cron-problem")).isVisible();
        isTheSameDocument();
    }

    @Test
    void chart_is_drawn_again_in_what_a_form_led_to() {
        start("/series/" + ids.series());
        page.waitForSelector("[data-charts][data-drawn]");
        page.locator("summary:has-text('Add a note')").click();
        page.fill("#day", "2026-11-01");
        page.fill("#note", "A new kernel.");
        button("Add the note").click();
        Locator notes = page.locator(".note-text:has-text('A new kernel.')");
        assertThat(notes).hasCount(1);
        page.waitForSelector("[data-charts][data-drawn]");
        button("Remove the note of 2026-11-01").click();
        assertThat(notes).hasCount(0);
        assertThat(page).hasURL(Pattern.compile("/series/" + ids.series()));
        isTheSameDocument();
    }

    @Test
    void range_of_a_history_redraws_it_and_keeps_the_focus() {
        start("/series/" + ids.watchedSeries());
        page.waitForSelector("[data-charts][data-drawn]");
        link("Newest 30").focus();
        page.keyboard().press("Enter");
        assertThat(page.locator("#points tbody tr:not(.group)")).hasCount(30);
        assertThat(page).hasURL(Pattern.compile("range=newest-30"));
        assertThat(page.locator("[aria-label='Points of each track'] a:focus")).hasText("Newest 30");
        page.waitForSelector("[data-charts][data-drawn]");
        assertThat(page.evaluate("""
                () => {
                  const chart = Chart.getChart(document.querySelector("figure[data-chart=history] canvas"));
                  const { min, max } = chart.scales.y;
                  return chart.data.datasets.flatMap((d) => d.data)
                    .filter(({ point }) => point.low < min || point.high > max).length;
                }
                """)).as("intervals that leave the plot").isEqualTo(0);
        isTheSameDocument();
        link("All").click();
        assertThat(page.locator("#points tbody tr:not(.group)")).hasCount(50);
        assertThat(page).hasURL(Pattern.compile("/series/" + ids.watchedSeries() + "$"));
        isTheSameDocument();
    }

    @Test
    void dragging_across_a_history_shows_those_builds_alone_and_back_shows_all() {
        start("/series/" + ids.watchedSeries());
        page.waitForSelector("[data-charts][data-drawn]");
        BoundingBox chart = page.locator("figure[data-chart=history] canvas").boundingBox();
        double middle = chart.y + chart.height / 2;
        page.mouse().move(chart.x + chart.width * 0.6, middle);
        page.mouse().down();
        page.mouse().move(chart.x + chart.width * 0.95, middle);
        assertThat(page.locator(".chart-zoom")).isVisible();
        page.keyboard().press("Escape");
        assertThat(page.locator(".chart-zoom")).hasCount(0);
        page.mouse().up();
        page.mouse().move(chart.x + chart.width * 0.6, middle);
        page.mouse().down();
        page.mouse().move(chart.x + chart.width * 0.95, middle);
        page.mouse().up();
        assertThat(page).hasURL(Pattern.compile("from=" + Results.JDK_28_18 + "&to=" + Results.JDK_28_18));
        assertThat(page.locator("#points")).containsText("on 1 build");
        page.goBack();
        assertThat(page.locator("#points")).containsText("on 2 builds");
    }

    @Test
    void another_metric_of_a_cell_replaces_its_history() {
        start("/series/" + ids.series());
        link("Server CPU per request").click();
        assertThat(page.locator("h1")).containsText("Server CPU per request");
        assertThat(page.locator("[aria-label='Histories of this cell'] :focus")).hasCount(1);
        page.waitForSelector("[data-charts][data-drawn]");
        isTheSameDocument();
    }

    @Test
    void step_of_a_trial_is_chosen_where_it_is_listed() {
        start("/trials/" + ids.searchTrial());
        page.waitForSelector("[data-charts][data-drawn]");
        Locator steps = page.locator("[aria-label='Steps of the search']");
        steps.locator("a").nth(1).focus();
        page.keyboard().press("Enter");
        assertThat(page).hasURL(Pattern.compile("step=1$"));
        assertThat(steps.locator("a:focus")).hasText("2");
        assertThat(page.locator("[data-charts]")).hasAttribute("data-charts", Pattern.compile("step=1$"));
        page.waitForSelector("[data-charts][data-drawn]");
        isTheSameDocument();
    }

    @Test
    void choice_that_nothing_passes_is_taken_back_at_once() {
        start(Results.board(Results.MATMUL) + "?collector=Epsilon");
        link("Remove all filters").click();
        assertThat(page.locator("table.board").first()).isVisible();
        assertThat(page).hasURL(Pattern.compile("/leaderboard/[^?]*$"));
        isTheSameDocument();
    }

    @Test
    void runs_are_filtered_in_place() {
        start("/runs");
        page.selectOption("#state", "failed");
        button("Filter").click();
        assertThat(page).hasURL(Pattern.compile("state=failed"));
        assertThat(page.locator("#state")).hasValue("failed");
        assertThat(page.locator("form[action='/runs'] button:focus")).hasText("Filter");
        link("Remove the filter").click();
        assertThat(page.locator("#state")).hasValue("");
        isTheSameDocument();
    }

    @Test
    void forms_of_a_workspace_replace_the_main_part_and_the_switcher() {
        signIn(new People(service.bean(DatabaseClient.class)).add("Swapped").session());
        start("/workspaces");
        for (String name : List.of("Swapped one", "Swapped two")) {
            page.fill("#name", name);
            button("Make the workspace").click();
            assertThat(page.locator("h1")).containsText(name);
            if (name.endsWith("one")) {
                page.navigate(service.url() + "/workspaces");
                page.evaluate("window.kept = true");
            }
        }
        assertThat(page.locator("#switcher option")).hasCount(2);
        isTheSameDocument();

        start("/w/swapped-one/members");
        page.fill("#uses", "0");
        page.locator("form[action$='/invitations']").evaluate("form => form.noValidate = true");
        button("Make the link").click();
        assertThat(page.locator("#uses-problem")).isVisible();
        page.fill("#uses", "1");
        button("Make the link").click();
        assertThat(page.getByText("The new invitation").first()).isVisible();
        assertThat(page).hasURL(Pattern.compile("/members$"));
        page.getByRole(AriaRole.BUTTON, new Page.GetByRoleOptions().setName(Pattern.compile("^Revoke …")))
                .click();
        assertThat(page.getByText("revoked").first()).isVisible();
        isTheSameDocument();

        start("/w/swapped-one/audit");
        page.fill("#action", "Not an action");
        button("Filter").click();
        assertThat(page.locator("#action-problem")).isVisible();
        page.fill("#action", "invitation");
        button("Filter").click();
        assertThat(page).hasURL(Pattern.compile("action=invitation"));
        assertThat(page.locator("[aria-label=Events] tbody tr")).hasCount(2);
        isTheSameDocument();
    }

    @Test
    void tokens_and_sessions_are_made_and_ended_in_place() {
        start("/account/tokens");
        page.fill("#name", "For scripts");
        button("Make the token").click();
        assertThat(page.getByText("The new token").first()).isVisible();
        button("Revoke For scripts").click();
        assertThat(page.locator("tr:has-text('For scripts')")).containsText("revoked");
        isTheSameDocument();

        People.Somebody somebody = new People(service.bean(DatabaseClient.class)).add("Sessions");
        execute("insert into session (token_hash, account_id, expires_at)"
                + " select sha256('elsewhere'), account_id, now() + interval '1 hour' from account where external_id = '"
                + somebody.id() + "'");
        signIn(somebody.session());
        start("/account");
        button("Sign out everywhere else").click();
        assertThat(page.getByText("Every other browser is signed out.")).isVisible();
        isTheSameDocument();
    }

    private Locator button(String name) {
        return page.getByRole(AriaRole.BUTTON, new Page.GetByRoleOptions().setName(name));
    }

    private List<String> options(String select) {
        return page.locator(select + " option").all().stream()
                .map(option -> option.getAttribute("value"))
                .filter(value -> !value.isEmpty())
                .toList();
    }
}
