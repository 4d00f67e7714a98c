package dev.loomboard.endtoend;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import dev.loomboard.kit.ServiceProcess;
import dev.loomboard.kit.Trees;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The way of a newcomer from a started service to the first point in a history, in a browser, with a real run. */
final class NewcomerTest {

    private static final String EMAIL = "nora@example.org";
    private static final String PASSWORD = "a newcomer's password";
    private static final String MACHINE = "Nora's bench";

    private Path folder = Path.of("target");

    @BeforeEach
    void makeFolder() throws Exception {
        folder = Files.createTempDirectory(Path.of("target").toAbsolutePath(), "newcomer-");
        Files.createDirectories(folder.resolve("agent"));
    }

    @AfterEach
    void deleteFolder() throws Exception {
        Trees.delete(folder);
    }

    @Test
    void newcomer_finds_the_first_point_of_a_nightly_quick_in_its_history() throws Exception {
        try (ServiceProcess service = ServiceProcess.start(folder, Map.of());
                AgentProgram agent = new AgentProgram(folder.resolve("agent"));
                Browsing nora = new Browsing("newcomer")) {
            String address = service.awaitAddress();
            becomeAdministrator(nora, address + service.setupPath().orElseThrow());
            signIn(nora);
            registerMachine(nora, agent);
            service.stop();
        }
    }

    private void becomeAdministrator(Browsing nora, String link) {
        nora.open(link);
        nora.picture("one-time-link");
        nora.fill("Email", EMAIL);
        nora.fill("Name", "Nora");
        nora.fill("Password", PASSWORD);
        nora.press("Create the account");
        assertThat(nora.page.getByRole(AriaRole.LINK, new Page.GetByRoleOptions().setName("Nora"))).isVisible();
        nora.picture("administrator");
        nora.press("Sign out");
    }

    private void signIn(Browsing nora) {
        nora.follow("Sign in");
        nora.fill("Email", EMAIL);
        nora.fill("Password", PASSWORD);
        nora.picture("sign-in");
        nora.press("Sign in");
        assertThat(nora.page.getByRole(AriaRole.LINK, new Page.GetByRoleOptions().setName("Nora"))).isVisible();
        nora.picture("signed-in");
    }

    private void registerMachine(Browsing nora, AgentProgram agent) throws Exception {
        nora.go("Machines");
        nora.picture("no-machine");
        nora.follow("Register a machine");
        nora.fill("Name", MACHINE);
        nora.picture("register");
        nora.press("Make the line to paste");
        nora.press("Copy: Line to paste");
        String line = (String) nora.page.evaluate("navigator.clipboard.readText()");
        nora.picture("line-to-paste");
        assertThat(line).startsWith("loomboard-agent register ");

        String said = agent.paste(line);
        assertThat(said).contains("Start with: loomboard-agent run");
        Locator registered = nora.page.getByRole(AriaRole.STATUS);
        assertThat(registered).containsText(MACHINE + " has registered"); // by itself, without a reload
        nora.picture("registered");

        agent.run();
        nora.follow("see it");
        assertThat(nora.page.getByRole(AriaRole.MAIN)).containsText("online");
        nora.picture("machine");
    }
}
