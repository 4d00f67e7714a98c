package dev.loomboard.pages;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.kit.Cast.Role;
import dev.loomboard.kit.Results;
import dev.loomboard.kit.TestMachine;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Ways through the pages by the keys that every browser knows, without a mouse; the focus is always to be seen. */
final class KeyboardTest extends BrowsedPages {

    private static final int MOST_TABS = 400;

    private final Results.Ids ids = Results.shared();

    @Test
    void from_the_board_to_a_comparison_and_to_a_history() {
        page.navigate(service.url() + Results.board(Results.IO));
        tabTo("input[name=b]");
        page.keyboard().press("Space");
        page.keyboard().press("Tab");
        tabTo("input[name=b]");
        page.keyboard().press("Space");
        assertThat(page.locator("input[name=b]:checked")).hasCount(2);
        tabTo("#basket button");
        page.keyboard().press("Enter");
        assertThat(page).hasURL(Pattern.compile("/compare\\?.*axis=server"));
        page.navigate(service.url() + Results.board(Results.IO));
        tabTo("#main a[href^='/series/']");
        page.keyboard().press("Enter");
        assertThat(page).hasURL(Pattern.compile("/series/ser_"));
    }

    @Test
    void builds_of_a_history_are_chosen() {
        page.navigate(service.url() + "/series/" + ids.watchedSeries());
        tabTo("#from");
        page.keyboard().press("End");
        tabTo("form[aria-label='Builds to show'] button");
        page.keyboard().press("Enter");
        assertThat(page).hasURL(Pattern.compile("from=debian-28-ea.98"));
        assertThat(page.locator("#points")).containsText("on 1 build");
    }

    @Test
    void a_machine_is_registered() {
        page.navigate(service.url() + "/machines/new");
        tabTo("#name");
        page.keyboard().type("By keyboard");
        page.keyboard().press("Enter");
        assertThat(page.locator("#main pre").first()).containsText("loomboard-agent register");
    }

    @Test
    void a_schedule_is_made() {
        TestMachine machine = TestMachine.registered(as(Role.TOKEN), client, "public");
        page.navigate(service.url() + "/schedules/new");
        tabTo("#title");
        page.keyboard().type("By keyboard");
        tabTo("#matrix");
        choose(page.locator("#matrix option:has-text('Nightly')").first().getAttribute("value"));
        tabTo("#machine");
        choose(machine.id());
        tabTo("form button[type=submit]:not([name])");
        page.keyboard().press("Enter");
        assertThat(page).hasURL(Pattern.compile("/w/main/schedules/"));
        assertThat(page.locator("h1")).containsText("By keyboard");
    }

    /** In the list that has the focus. Typing its name would depend on how fast the keys come. */
    private void choose(String value) {
        for (int i = 0; i < MOST_TABS; i++) {
            if (value.equals(page.evaluate("document.activeElement.value"))) {
                return;
            }
            page.keyboard().press("ArrowDown");
        }
        throw new AssertionError("no " + value + " in the list");
    }

    /** The next that a reader comes to, wherever the focus is. */
    private void tabTo(String wanted) {
        for (int i = 0; i < MOST_TABS; i++) {
            boolean there = (boolean) page.evaluate("wanted => document.activeElement.matches(wanted)", wanted);
            if (there) {
                assertThat(page.evaluate("getComputedStyle(document.activeElement).outlineStyle"))
                        .as("the focus is seen at " + wanted)
                        .isNotEqualTo("none");
                return;
            }
            page.keyboard().press("Tab");
        }
        throw new AssertionError("no way by Tab to " + wanted + " at " + page.url());
    }
}
