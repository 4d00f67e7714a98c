package dev.loomboard.pages;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Playwright;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import com.microsoft.playwright.options.AriaRole;
import com.microsoft.playwright.options.Cookie;
import dev.loomboard.kit.Chromium;
import dev.loomboard.kit.Results;
import dev.loomboard.web.FormToken;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** With scripts, filters, sorting and forms replace the main part of a page: its address changes, the focus stays. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class SwappedPagesTest extends ShownPages {

    private static final double PATIENCE_MS = 120_000; // for a busy machine; nothing is measured by it

    private final Results.Ids ids = Results.shared();
    private final Playwright playwright = Chromium.playwright();
    private final Browser browser = Chromium.launch(playwright);
    private final List<String> complaints = new ArrayList<>();
    private BrowserContext context;
    private Page page;

    @BeforeAll
    static void wait_for_a_busy_machine() {
        PlaywrightAssertions.setDefaultAssertionTimeout(PATIENCE_MS);
    }

    @BeforeEach
    void open() {
        complaints.clear();
        context = browser.newContext();
        context.setDefaultTimeout(PATIENCE_MS);
        context.addCookies(
                List.of(new Cookie(FormToken.SESSION_COOKIE, cast.ownerSession().value()).setUrl(service.url())));
        page = context.newPage();
        page.onConsoleMessage(message -> {
            if (message.type().equals("error") && !message.text().contains("422")) {
                complaints.add(message.text());
            }
        });
        page.onPageError(complaints::add);
    }

    @AfterEach
    void leave() {
        List<String> heard = List.copyOf(complaints); // the end cuts off what is still asked for
        context.close();
        assertThat(heard).as("the browser's console").isEmpty();
    }

    @AfterAll
    void close() {
        playwright.close();
    }

    private void start(String path) {
        page.navigate(service.url() + path);
        page.evaluate("window.kept = true");
    }

    private void isTheSameDocument() {
        assertThat(page.evaluate("window.kept === true"))
                .as("the page was not loaded anew")
                .isEqualTo(true);
    }

    private Locator link(String name) {
        return page.getByRole(AriaRole.MAIN)
                .getByRole(AriaRole.LINK, new Locator.GetByRoleOptions().setName(name))
                .first();
    }

    @Test
    void sorting_and_views_replace_the_main_part_and_can_be_gone_back_to() {
        start("/leaderboard?scenario=" + encoded(Results.MATMUL));
        Locator sort = page.locator("th:not([aria-sort]) a.sort").first();
        String column = sort.innerText().strip();
        sort.focus();
        page.keyboard().press("Enter");
        assertThat(page.locator("th[aria-sort]")).containsText(column);
        assertThat(page).hasURL(Pattern.compile("sort="));
        assertThat(page.locator("a.sort:focus")).containsText(column);
        isTheSameDocument();

        link("Latency against memory").click();
        page.waitForSelector("[data-charts][data-drawn]");
        assertThat(page).hasURL(Pattern.compile("view=pareto"));
        isTheSameDocument();

        page.goBack();
        assertThat(page.locator("th[aria-sort]")).containsText(column);
    }

    @Test
    void filter_that_is_taken_or_removed_keeps_the_focus_in_its_group() {
        start("/leaderboard?scenario=" + encoded(Results.MATMUL));
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
        button("Show the next firings").click();
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
