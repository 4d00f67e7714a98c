package dev.loomboard.endtoend;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;

/** What somebody does on the pages, by the words that stand there. */
record Person(String name, String email, String password, Browsing browser) {

    static Person named(String name, Browsing browser) {
        return new Person(
                name, name.toLowerCase(java.util.Locale.ROOT) + "@example.org", "a password of " + name, browser);
    }

    /** Opens the link that the service printed, and is signed in by it. */
    void becomesAdministrator(String link) {
        browser.open(link);
        browser.picture("one-time-link");
        browser.fill("Email", email);
        browser.fill("Name", name);
        browser.fill("Password", password);
        browser.press("Create the account");
        isSignedIn();
    }

    void signsOut() {
        browser.press("Sign out");
        assertThat(browser.page.getByRole(AriaRole.BUTTON, new Page.GetByRoleOptions().setName("Sign out")))
                .hasCount(0);
    }

    void signsIn() {
        browser.follow("Sign in");
        browser.fill("Email", email);
        browser.fill("Password", password);
        browser.picture("sign-in");
        browser.press("Sign in");
        isSignedIn();
    }

    private void isSignedIn() {
        assertThat(browser.page.getByRole(
                        AriaRole.LINK, new Page.GetByRoleOptions().setName(name).setExact(true)))
                .isVisible();
        browser.picture("signed-in");
    }

    /** Gives the line to paste, as the Copy button gives it. */
    String asksForMachine(String machine) {
        browser.go("Machines");
        browser.picture("machines");
        return asksForMachineHere(machine);
    }

    /** The same, from a page that offers it. */
    String asksForMachineHere(String machine) {
        browser.follow("Register a machine");
        browser.fill("Name", machine);
        browser.picture("register");
        browser.press("Create the command");
        String line = browser.copy("Line to paste");
        browser.picture("line-to-paste");
        assertThat(line).startsWith("loomboard-agent register ");
        return line;
    }

    /** Waits on the page that gave the line until it says so by itself, then goes to the machine's own page. */
    void seesRegistered(String machine) {
        assertThat(browser.page.getByRole(AriaRole.STATUS)).containsText(machine + " has registered");
        browser.picture("registered");
        browser.follow("see it");
        assertThat(browser.page.getByRole(AriaRole.HEADING, new Page.GetByRoleOptions().setLevel(1)))
                .hasText(machine);
    }

    void writesMatrix(String yaml) {
        browser.go("Matrices");
        browser.follow("New matrix");
        browser.follow("write as YAML");
        browser.fill("Matrix", yaml);
        browser.picture("matrix-written");
        browser.press("Save");
        assertThat(browser.page.getByRole(AriaRole.BUTTON, new Page.GetByRoleOptions().setName("Run now")))
                .isVisible();
        browser.picture("matrix");
    }

    /** From the page of a matrix; gives the id of the run whose page is shown then. */
    String runsItNow() {
        browser.press("Run now");
        browser.page.waitForURL(java.util.regex.Pattern.compile(".*/runs/run_.*"));
        return browser.page.url().replaceAll(".*/", "");
    }
}
