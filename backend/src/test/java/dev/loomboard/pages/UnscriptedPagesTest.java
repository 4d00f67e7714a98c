package dev.loomboard.pages;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.options.AriaRole;
import dev.loomboard.inbox.ShownRegressions;
import dev.loomboard.kit.Cast.Role;
import dev.loomboard.kit.Results;
import dev.loomboard.kit.TestMachine;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Ways through the pages where the browser runs no script. */
final class UnscriptedPagesTest extends BrowsedPages {

    private final Results.Ids ids = Results.shared();
    private final ShownRegressions regressions = new ShownRegressions(service, "public");

    @Override
    Browser.NewContextOptions options() {
        return new Browser.NewContextOptions().setJavaScriptEnabled(false);
    }

    @Test
    void board_is_filtered_compared_and_leads_to_a_history() {
        go(Results.board(Results.IO));
        Locator menu = page.locator("details.menu").first();
        menu.locator("summary").click();
        Locator choice = menu.locator("a").first();
        String chosen = choice.textContent();
        choice.click();
        Locator set = page.locator("[aria-label=Filters] a.chip.on");
        assertThat(set).containsText(chosen);
        set.click();
        assertThat(set).hasCount(0);

        page.locator("input[name=b]").nth(0).check();
        page.locator("input[name=b]").nth(1).check();
        button("Compare the chosen rows").click();
        assertThat(page).hasURL(Pattern.compile("/compare\\?.*axis=server"));
        assertThat(page.locator("h1")).isVisible();

        go(Results.board(Results.IO));
        page.locator("#main a[href^='/series/']").first().click();
        assertThat(page.locator("#points tbody tr").first()).isVisible();
        assertThat(page.locator(".chart-box")).isHidden();
    }

    @Test
    void history_is_narrowed_by_points_and_by_builds() {
        go("/series/" + ids.watchedSeries());
        page.getByText("Newest 30").click();
        assertThat(page.locator("#points tbody tr:not(.group)")).hasCount(30);
        page.locator("#from").selectOption(Results.JDK_28_17);
        page.locator("#to").selectOption(Results.JDK_28_17);
        button("Show").click();
        assertThat(page).hasURL(Pattern.compile("from=.*to="));
        assertThat(page.locator("#points")).containsText("on 1 build");
    }

    @Test
    void a_regression_is_triaged() {
        go("/regressions");
        go("/regressions/" + regressions.regression);
        page.locator("#state").selectOption("expected");
        page.locator("#note").fill("Measured with the old compiler.");
        page.locator("#triage").getByRole(AriaRole.BUTTON).click();
        assertThat(page.locator("#main .badge").first()).hasText("expected");
        assertThat(page.locator("#triage")).containsText("Measured with the old compiler.");
    }

    @Test
    void a_matrix_is_picked_and_saved_and_a_schedule_of_it_previewed_and_made() {
        TestMachine machine = TestMachine.registered(as(Role.TOKEN), client, "public");
        go("/matrices");
        page.getByText("New matrix").click();
        page.locator("#machine").selectOption("main/" + machine.slug());
        button("Show what comes of it").click();
        page.locator("#name").fill("unscripted-" + machine.slug());
        page.locator("#rate").fill("120");
        button("Show what comes of it").click();
        assertThat(page.locator("#source")).containsText("rate: 120");
        button("Save").click();
        assertThat(page).hasURL(Pattern.compile("/w/main/matrices/unscripted-"));

        page.getByText("Schedule it").click();
        page.locator("#title").fill("Unscripted " + machine.slug());
        page.locator("#machine").selectOption(machine.id());
        button("Show what it would run").click();
        assertThat(page.locator("#preview")).containsText("What it would run tonight");
        button("Make the schedule").click();
        assertThat(page).hasURL(Pattern.compile("/w/main/schedules/"));
    }

    private void go(String path) {
        page.navigate(service.url() + path);
    }

    private Locator button(String name) {
        return page.getByRole(
                AriaRole.BUTTON,
                new com.microsoft.playwright.Page.GetByRoleOptions()
                        .setName(name)
                        .setExact(true));
    }
}
