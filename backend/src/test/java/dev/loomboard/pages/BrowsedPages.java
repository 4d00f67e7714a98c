package dev.loomboard.pages;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Playwright;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import com.microsoft.playwright.options.Cookie;
import dev.loomboard.kernel.Secret;
import dev.loomboard.kit.Chromium;
import dev.loomboard.web.FormToken;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;

/** Pages in a browser, with scripts unless a test says otherwise, by an owner who is signed in; its console must stay silent. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class BrowsedPages extends ShownPages {

    private static final double PATIENCE_MS = 120_000; // for a busy machine; nothing is measured by it

    private final Playwright playwright = Chromium.playwright();
    private final Browser browser = Chromium.launch(playwright);
    private final List<String> complaints = new ArrayList<>();
    private BrowserContext context;
    Page page;

    @BeforeAll
    static void wait_for_a_busy_machine() {
        PlaywrightAssertions.setDefaultAssertionTimeout(PATIENCE_MS);
    }

    @BeforeEach
    void open() {
        complaints.clear();
        context = browser.newContext(options());
        context.setDefaultTimeout(PATIENCE_MS);
        signIn(cast.ownerSession());
        page = context.newPage();
        page.onConsoleMessage(message -> {
            if (message.type().equals("error") && !isMeant(message.text())) {
                complaints.add(message.text());
            }
        });
        page.onPageError(complaints::add);
    }

    Browser.NewContextOptions options() {
        return new Browser.NewContextOptions();
    }

    /** A refused form, and a preview whose place a newer one takes; what else fails is told by other events, too. */
    private static boolean isMeant(String complaint) {
        return complaint.contains("422")
                || complaint.startsWith("htmx:sendAbort")
                || complaint.startsWith("htmx:afterRequest");
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

    final void start(String path) {
        page.navigate(service.url() + path);
        page.evaluate("window.kept = true");
    }

    final void isTheSameDocument() {
        assertThat(page.evaluate("window.kept === true"))
                .as("the page was not loaded anew")
                .isEqualTo(true);
    }

    final void signIn(Secret session) {
        context.clearCookies();
        context.addCookies(List.of(new Cookie(FormToken.SESSION_COOKIE, session.value()).setUrl(service.url())));
    }
}
