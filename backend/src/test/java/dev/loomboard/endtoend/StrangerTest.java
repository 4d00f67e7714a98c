package dev.loomboard.endtoend;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.assertions.LocatorAssertions;
import com.microsoft.playwright.options.AriaRole;
import dev.loomboard.database.DatabaseUrl;
import dev.loomboard.kit.ServiceProcess;
import dev.loomboard.kit.TestDatabases;
import dev.loomboard.kit.Trees;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The way of somebody who has nothing of ours: an account, a workspace, a machine on which lines are pasted, a first result. On a
 * machine that is really bare {@code make stranger} goes it.
 */
@Measuring
final class StrangerTest {

    /** Nine on links and buttons of forms, three on Copy. Whoever needs one more says why here. */
    private static final int CLICKS = 12;

    private final DatabaseUrl database = TestDatabases.fresh();
    private Path folder = Path.of("target");

    @BeforeEach
    void makeFolder() throws Exception {
        folder = Files.createTempDirectory(Path.of("target").toAbsolutePath(), "stranger-");
        BuiltRelease.make(Files.createDirectory(folder.resolve("release")));
        Files.createDirectory(folder.resolve("bench"));
    }

    @AfterEach
    void remove() throws Exception {
        Trees.delete(folder);
        TestDatabases.drop(database);
    }

    @Test
    void stranger_sees_a_result_after_twelve_clicks_and_three_pasted_lines() throws Exception {
        Map<String, String> settings = Map.of(
                "LOOMBOARD_DATABASE_URL",
                database.withPassword(),
                "LOOMBOARD_SIGN_UP",
                "open",
                "LOOMBOARD_DOWNLOADS",
                folder.resolve("release").toString());
        try (ServiceProcess service = ServiceProcess.start(folder, settings);
                AgentProgram machine = AgentProgram.none(folder.resolve("bench"));
                Browsing sam = new Browsing("stranger")) {
            sam.open(service.awaitAddress() + "/");
            signsUp(sam);
            sam.fill("Name", "Sam's lab");
            sam.press("Make the workspace");
            sam.picture("workspace");
            registers(sam, machine);
            sam.follow("choose a matrix");
            sam.follow("Starter: a first look at every variant");
            sam.fill("JDK builds", "25"); // one is enough, and a stranger has no more
            sam.press("Run now");
            Locator result = sam.region("Results of scored trials")
                    .getByRole(AriaRole.ROW)
                    .filter(new Locator.FilterOptions().setHasText("spring-mvc"));
            assertThat(result.first()).isVisible(new LocatorAssertions.IsVisibleOptions().setTimeout(15 * 60_000.0));
            sam.picture("first-result");
            assertThat(sam.clicks()).isEqualTo(CLICKS);
            assertThat(sam.complaints()).as("what the browser complained of").isEmpty();
        }
    }

    private static void signsUp(Browsing sam) {
        sam.picture("nothing-measured");
        sam.follow("Make an account");
        sam.fill("Email", "sam@example.org");
        sam.fill("Name", "Sam");
        sam.fill("Password", "a password of Sam");
        sam.picture("sign-up");
        sam.press("Create the account");
        sam.fill("Email", "sam@example.org");
        sam.fill("Password", "a password of Sam");
        sam.press("Sign in");
        assertThat(sam.page.getByRole(AriaRole.HEADING, new Page.GetByRoleOptions().setLevel(1)))
                .hasText("Your workspaces");
        sam.picture("no-workspace");
    }

    /** The page says by itself when the machine is there, and when its agent works. */
    private static void registers(Browsing sam, AgentProgram machine) throws Exception {
        sam.follow("Register a machine");
        sam.fill("Name", "Sam's bench");
        sam.press("Create the command");
        sam.picture("lines-to-paste");
        machine.pasteInstaller(sam.copy("Line to paste"));
        Locator status = sam.page.getByRole(AriaRole.STATUS);
        assertThat(status).containsText("Waiting for its agent to be started");
        machine.paste(sam.copy("Line to install servers"));
        machine.run(sam.copy("Line to start it"));
        assertThat(status).containsText("its agent works");
        sam.picture("ready");
    }
}
