package dev.loomboard.pages;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Locator;
import dev.loomboard.inbox.ShownRegressions;
import dev.loomboard.kit.Results;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What can be done without a mouse, by single keys. */
final class KeysTest extends BrowsedPages {

    private final ShownRegressions regressions = new ShownRegressions(service, "public");

    @Test
    void a_name_is_searched_for_from_any_page() {
        Results.shared();
        start("/methodology");
        page.keyboard().press("/");
        assertThat(page.locator("#search")).isFocused();
        page.keyboard().type("webflux/");
        assertThat(page.locator("#search")).hasValue("webflux/");
        page.keyboard().press("Backspace");
        page.keyboard().press("Enter");
        assertThat(page).hasURL(Pattern.compile("/search\\?q=webflux"));
        Locator found = page.locator("#found");
        assertThat(found).containsText("spring-webflux");
        page.locator("#asked").fill("bench-pages");
        assertThat(found).containsText("bench-pages");
        assertThat(found).not().containsText("spring-webflux");
    }

    @Test
    void regressions_are_looked_through_opened_and_triaged() {
        start("/regressions");
        page.keyboard().press("j");
        Locator names = page.locator("#main tbody th[scope=row] a");
        assertThat(names.first()).isFocused();
        page.keyboard().press("j");
        assertThat(names.nth(1)).isFocused();
        page.keyboard().press("k");
        assertThat(names.first()).isFocused();
        page.keyboard().press("Enter");
        assertThat(page).hasURL(Pattern.compile("/regressions/"));

        start("/regressions/" + regressions.improvement);
        page.keyboard().press("a");
        start("/regressions/" + regressions.regression);
        page.keyboard().press("e");
        assertThat(page.locator("#main .badge").first()).hasText("expected");
        page.keyboard().press("a");
        assertThat(page.locator("#main .badge").first()).hasText("acknowledged");
    }

    @Test
    void the_keys_are_told() {
        start("/runs");
        page.keyboard().press("?");
        assertThat(page.locator("#keys")).isVisible();
        page.keyboard().press("Escape");
        assertThat(page.locator("#keys")).isHidden();
    }
}
