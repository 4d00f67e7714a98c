package dev.loomboard.endtoend;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Locator;
import com.microsoft.playwright.assertions.LocatorAssertions;
import com.microsoft.playwright.options.AriaRole;
import dev.loomboard.kit.ServiceProcess;
import dev.loomboard.kit.Trees;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;

/**
 * The way of a newcomer from a started service to the first point in a history, in a browser, with a real run. It takes
 * as long as {@code starter} does and mostly waits, so it begins first, beside tests whose figures nobody judges.
 */
@Order(1)
final class NewcomerTest {

    private static final String MACHINE = "Nora's bench";
    private static final String SCHEDULE = "Quick by night";

    /** From the one-time link to a scheduled nightly whose first run is under way; one of them saves this test half of that run. */
    private static final int CLICKS = 8;

    private static final int PASTED = 2;

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
            Person person = Person.named("Nora", nora);
            person.becomesAdministrator(
                    service.awaitAddress() + service.setupPath().orElseThrow());
            registersMachine(person, agent);
            schedulesNightlyQuick(nora);
            String run = runsItNow(person);
            assertThat(nora.clicks() - nora.copies())
                    .as("clicks from the one-time link on, but for those that copy what is pasted")
                    .isLessThanOrEqualTo(CLICKS);
            assertThat(agent.pasted()).isEqualTo(PASTED);
            watchesItToTheEnd(nora);
            findsItsPointInAHistory(nora, run);
            pausesTheSchedule(nora);
            person.signsOut();
            person.signsIn();
            assertThat(nora.complaints()).as("what the browser complained of").isEmpty();
        }
    }

    /** By the steps that the empty leaderboard shows, each of which ticks itself. */
    private void registersMachine(Person person, AgentProgram agent) throws Exception {
        Browsing nora = person.browser();
        assertThat(steps(nora, "next")).containsText("Register a machine");
        nora.picture("first-steps");
        String said = agent.paste(person.asksForMachineHere(MACHINE));
        assertThat(said).contains("Start with: loomboard-agent run");
        Locator status = nora.page.getByRole(AriaRole.STATUS);
        assertThat(status).containsText(MACHINE + " has registered");
        assertThat(status).containsText("Waiting for its agent");

        agent.run();
        assertThat(status).containsText("its agent works");
        nora.picture("registered");
        nora.follow("What to do next");
        assertThat(steps(nora, "ticked")).hasCount(2);
        assertThat(steps(nora, "next")).containsText("Measure now");
        nora.picture("online");
    }

    private static Locator steps(Browsing nora, String which) {
        return nora.page.locator("#first-steps li." + which);
    }

    /** An early-access build where the machine has one. */
    private static String newestBuilds(Browsing nora) {
        String builds = nora.page
                .request()
                .get(nora.page.url().replaceAll("(://[^/]*).*", "$1/jdks.json"))
                .text();
        return builds.contains("-ea") ? "latest-ea" : "25";
    }

    private static void schedulesNightlyQuick(Browsing nora) {
        nora.follow("Schedule it");
        assertThat(nora.chosen("Matrix")).startsWith("Nightly");
        assertThat(nora.chosen("Machine")).isEqualTo(MACHINE);
        nora.fill("Name", SCHEDULE);
        nora.choose("Matrix", "Starter: a first look at every variant");
        nora.page.getByLabel("Every night at").check();
        nora.fill("Time of every night", "04:30");
        nora.fill("Time zone", "Europe/Stockholm");
        nora.fill("JDKs", newestBuilds(nora));
        assertThat(nora.page.locator("#preview time")).hasCount(5);
        nora.picture("schedule-form");
        nora.press("Make the schedule");

        Locator next = nora.page.locator("#next time");
        assertThat(next).hasCount(5);
        assertThat(next.last()).containsText("04:30");
        List<ZonedDateTime> firings = next.all().stream()
                .map(time -> Instant.parse(time.getAttribute("datetime")).atZone(ZoneId.of("Europe/Stockholm")))
                .toList();
        assertThat(firings.getFirst()).isAfter(ZonedDateTime.now(ZoneId.of("Europe/Stockholm")));
        assertThat(firings)
                .isEqualTo(Stream.iterate(firings.getFirst(), night -> night.plusDays(1))
                        .limit(5)
                        .toList());
        nora.picture("schedule");
        doesWithoutAControl(nora);
    }

    /** It would double the run, which this test waits for. */
    private static void doesWithoutAControl(Browsing nora) {
        nora.choose("Control", "none");
        nora.press("Change");
        assertThat(nora.page.locator("#control")).containsText("Without a control, no nightly screening runs");
    }

    private static String runsItNow(Person nora) {
        String run = nora.runsItNow();
        nora.browser().picture("run-queued");
        return run;
    }

    /** Looks on without touching anything: what changes, changes by events from the service. */
    private static void watchesItToTheEnd(Browsing nora) {
        nora.page.evaluate("window.neverReloaded = true");
        Locator live = nora.page.locator("#live");
        assertThat(live).containsText(Pattern.compile("of \\d+ trials ended"), within(2));
        assertThat(live).containsText("now warm-up", within(3));
        assertThat(live).containsText("now measure", within(3));
        assertThat(live).containsText(Pattern.compile("\\b[1-9] of \\d+ trials ended"), within(5));
        nora.picture("run-live");
        // On a busy machine there are more than were planned: what it spoilt is made again.
        assertThat(live).containsText("Verdicts of this run", within(25));
        assertThat(live).containsText(Pattern.compile("(\\d+) of \\1 trials ended"));
        assertThat(live.getByText("done", new Locator.GetByTextOptions().setExact(true))
                        .first())
                .isVisible();
        nora.picture("run-over");
        assertThat(live).containsText("0 failed · 0 aborted");
        assertThat(nora.page.evaluate("window.neverReloaded")).isEqualTo(true);
    }

    /** From a number on the leaderboard to the history that it is a point of. */
    private static void findsItsPointInAHistory(Browsing nora, String run) {
        nora.go("Leaderboard");
        nora.picture("leaderboard");
        Locator row = nora.page
                .locator("table.board tbody tr")
                .filter(new Locator.FilterOptions().setHas(nora.page.locator("td.num a[href^='/series/']")))
                .first();
        String build = row.locator("td.build").getByRole(AriaRole.LINK).innerText();
        Locator median = row.locator("td[data-label^='p50 latency']");
        String shown = median.innerText().strip();
        median.getByRole(AriaRole.LINK).click();

        assertThat(nora.heading()).endsWith("over JDK builds");
        Locator point = nora.region("Points of the history")
                .getByRole(AriaRole.ROW)
                .filter(new Locator.FilterOptions().setHas(nora.page.locator("a[href='/runs/" + run + "']")));
        assertThat(point.getByRole(AriaRole.ROWHEADER)).containsText(build);
        assertThat(Numbers.agree(shown, point.locator("td.key").innerText()))
                .as(
                        "the history's %s and the leaderboard's %s",
                        point.locator("td.key").innerText(), shown)
                .isTrue();
        nora.picture("history");
    }

    private static void pausesTheSchedule(Browsing nora) {
        nora.go("Schedules");
        nora.picture("schedules");
        nora.follow(SCHEDULE);
        nora.picture("schedule-fired");
        nora.press("Pause");
        assertThat(nora.page.getByRole(AriaRole.MAIN)).containsText("Paused since");
        assertThat(nora.page.locator("#next time")).hasCount(0);
        nora.picture("schedule-paused");
    }

    private static LocatorAssertions.ContainsTextOptions within(int minutes) {
        return new LocatorAssertions.ContainsTextOptions().setTimeout(minutes * 60_000.0);
    }
}
