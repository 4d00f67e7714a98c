package dev.loomboard.endtoend;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Playwright;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import com.microsoft.playwright.options.AriaRole;
import dev.loomboard.kit.Chromium;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/** A person at a browser, who finds things by what they are called and keeps a picture of each step. */
final class Browsing implements AutoCloseable {

    private static final double PATIENCE_MS = 120_000; // for one step on a busy machine; nothing is measured by it

    /**
     * What htmx says of a request that was under way when the page was left, as when a form is sent while its preview is
     * still made. A request that failed says htmx:sendError or htmx:responseError besides.
     */
    private static final Set<String> LEFT_BEHIND = Set.of("htmx:afterRequest", "htmx:sendAbort");

    private final Playwright playwright;
    private final Browser browser;
    private final Path pictures;
    private final List<String> complaints = new ArrayList<>();
    private int taken;
    private int clicks;
    private int copies;

    /** What the person looks at. */
    final Page page;

    Browsing(String name) {
        playwright = Chromium.playwright();
        browser = Chromium.launch(playwright);
        BrowserContext context = browser.newContext(new Browser.NewContextOptions()
                .setViewportSize(1280, 900)
                .setPermissions(List.of("clipboard-read", "clipboard-write")));
        context.setDefaultTimeout(PATIENCE_MS);
        PlaywrightAssertions.setDefaultAssertionTimeout(PATIENCE_MS);
        page = context.newPage();
        page.onConsoleMessage(message -> {
            if (message.type().equals("error")
                    && !LEFT_BEHIND.contains(message.text().split(",", 2)[0])) {
                complaints.add(page.url() + ": " + message.text());
            }
        });
        page.onPageError(error -> complaints.add(page.url() + ": " + error));
        pictures = Path.of("target", "end-to-end", name);
    }

    /** What the browser's console complained about on the way: a broken script, a refused file, an answer of 500. */
    List<String> complaints() {
        return List.copyOf(complaints);
    }

    /** How often the person clicked on a link or a button. */
    int clicks() {
        return clicks;
    }

    /** How many of the clicks copied something that was to be pasted. */
    int copies() {
        return copies;
    }

    void open(String url) {
        page.navigate(url);
    }

    void follow(String link) {
        clicks++;
        page.getByRole(AriaRole.LINK, new Page.GetByRoleOptions().setName(link))
                .first()
                .click();
    }

    /** Follows a link of the navigation at the top. */
    void go(String place) {
        clicks++;
        page.getByRole(AriaRole.NAVIGATION, new Page.GetByRoleOptions().setName("Main"))
                .getByRole(
                        AriaRole.LINK,
                        new Locator.GetByRoleOptions().setName(place).setExact(true))
                .click();
    }

    void press(String button) {
        clicks++;
        page.getByRole(
                        AriaRole.BUTTON,
                        new Page.GetByRoleOptions().setName(button).setExact(true))
                .click();
    }

    /** Gives the line, as its Copy button gives it. */
    String copy(String line) {
        copies++;
        press("Copy: " + line);
        return (String) page.evaluate("navigator.clipboard.readText()");
    }

    void fill(String label, String text) {
        field(label).fill(text);
    }

    void choose(String label, String option) {
        field(label).selectOption(option);
    }

    /** What is chosen in a list. */
    String chosen(String label) {
        return (String) field(label).evaluate("list => list.selectedOptions[0].textContent.trim()");
    }

    /** The first field whose label begins so; the rest of a label is a hint. */
    private Locator field(String label) {
        return page.getByRole(AriaRole.MAIN)
                .getByLabel(Pattern.compile("^" + label + "\\b"))
                .first();
    }

    String heading() {
        return page.getByRole(AriaRole.HEADING, new Page.GetByRoleOptions().setLevel(1))
                .innerText();
    }

    /** A part of the page by its name, such as a table. */
    Locator region(String name) {
        return page.getByRole(
                AriaRole.REGION, new Page.GetByRoleOptions().setName(name).setExact(true));
    }

    void picture(String name) {
        taken++;
        page.screenshot(new Page.ScreenshotOptions()
                .setPath(pictures.resolve("%02d-%s.png".formatted(taken, name)))
                .setFullPage(true));
    }

    @Override
    public void close() {
        playwright.close();
    }
}
