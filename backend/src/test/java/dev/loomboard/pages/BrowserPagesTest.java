package dev.loomboard.pages;

import static org.assertj.core.api.Assertions.assertThat;

import com.deque.html.axecore.playwright.AxeBuilder;
import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Playwright;
import com.microsoft.playwright.options.ColorScheme;
import com.microsoft.playwright.options.Cookie;
import com.microsoft.playwright.options.ReducedMotion;
import dev.loomboard.inbox.ShownBisection;
import dev.loomboard.inbox.ShownControl;
import dev.loomboard.inbox.ShownRegressions;
import dev.loomboard.kit.Cast.Role;
import dev.loomboard.kit.Chromium;
import dev.loomboard.kit.Results;
import dev.loomboard.kit.SevenBlocks;
import dev.loomboard.kit.TestMachine;
import dev.loomboard.kit.VariantBlocks;
import dev.loomboard.schedule.ScheduleRows;
import dev.loomboard.web.FormToken;
import dev.loomboard.web.route.Route;
import dev.loomboard.web.route.Routes;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.springframework.http.server.PathContainer;

/** Every read page in a real browser: light, dark and on a phone. Pictures are left in target/pages. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class BrowserPagesTest extends ShownPages {

    private static final Path PICTURES = Path.of("target", "pages");
    private static final int BROWSERS = 2;
    private static final double PATIENCE_MS = 120_000; // for a busy machine; nothing is measured by it

    /** What axe is asked: all that it knows, or what can differ where only the colours or only the width do. */
    private enum Rules {
        ALL("{rules: {'target-size': {enabled: true}}}"),
        COLOUR("{runOnly: ['color-contrast', 'link-in-text-block']}"),
        ALL_BUT_COLOUR(
                "{rules: {'color-contrast': {enabled: false}, 'link-in-text-block': {enabled: false}, 'target-size': {enabled: true}}}");

        private final String options;

        Rules(String options) {
            this.options = options;
        }
    }

    /** @param width of the window in CSS pixels */
    private record Look(String name, int width, int height, ColorScheme scheme, Rules rules) {}

    private static final List<Look> LOOKS = List.of(
            new Look("light", 1440, 900, ColorScheme.LIGHT, Rules.ALL),
            new Look("dark", 1440, 900, ColorScheme.DARK, Rules.COLOUR),
            new Look("phone-dark", 360, 760, ColorScheme.DARK, Rules.COLOUR),
            new Look("phone", 360, 760, ColorScheme.LIGHT, Rules.ALL_BUT_COLOUR));
    private static final Look PHONE = LOOKS.getLast();

    /** Pages of people, looked at by an owner who is signed in: strangers are sent to the form to sign in. */
    private static final Map<String, String> PEOPLES = Map.ofEntries(
            Map.entry("account", "/account"),
            Map.entry("openid", "/account/openid"),
            Map.entry("two-step", "/account/two-step"),
            Map.entry("delete-account", "/account/delete"),
            Map.entry("mails", "/account/mails"),
            Map.entry("tokens", "/account/tokens"),
            Map.entry("workspaces", "/workspaces"),
            Map.entry("workspace-settings", "/w/main/settings"),
            Map.entry("webhooks", "/w/main/webhooks"),
            Map.entry("members", "/w/main/members"),
            Map.entry("audit", "/w/main/audit"),
            Map.entry("hidden", "/hidden"),
            Map.entry("import", "/runs/import"),
            Map.entry("first-steps", "/first-steps"),
            Map.entry("new-machine", "/machines/new"),
            Map.entry("new-matrix", "/matrices/new"),
            Map.entry("matrix-draft", "/matrices/new/draft"),
            Map.entry("edit-matrix", "/w/main/matrices/starter/edit"),
            Map.entry("new-schedule", "/schedules/new"));

    /** Routes of GET that nobody looks at here, and why. */
    private static final Map<String, String> ELSEWHERE = Map.ofEntries(
            Map.entry("/", "leads to the leaderboard"),
            Map.entry("/leaderboard", "is that of the scenario that says most"),
            Map.entry("/audit", "the administrator's, by the template of a workspace's"),
            Map.entry("/jdks/{feature}", "the list of all builds, shorter"),
            Map.entry("/sign-in/code", "the second step of a sign-in"),
            Map.entry("/sign-in/openid", "leads to a provider"),
            Map.entry("/sign-in/openid/callback", "comes from a provider"),
            Map.entry("/account/openid/prove", "leads to a provider"),
            Map.entry("/setup/{token}", "a link that works once"),
            Map.entry("/sign-up/{token}", "a link that works once"),
            Map.entry("/reset-password/{token}", "a link that works once"),
            Map.entry("/invitations/{token}", "a link that works once"),
            Map.entry("/unsubscribe/{link}", "a link that is signed for a person"),
            Map.entry("/machines/new/{token}", "a link that works once"),
            Map.entry("/schedules/preview", "a part of the form of a schedule"),
            Map.entry("/w/{workspace}/schedules/{slug}/edit", "the form of a new one, filled"));

    /** In words. Asked of axe itself: the builder for it carries every node that passed through two more programs. */
    private static final String VIOLATIONS = """
            async () => (await axe.run({resultTypes: ['violations'], ...%s})).violations.map(rule =>
                `${rule.id}: ${rule.help} at ${rule.nodes.slice(0, 3).map(n => `${n.target} ${n.html}`).join(', ')}`)
            """;

    private final Results.Ids ids = Results.shared();
    private final TestMachine machine = TestMachine.registered(as(Role.TOKEN), client, "public");
    private final ShownRegressions regressions = ShownRegressions.shared();
    private final String schedule = new ScheduleRows(service, "public")
            .schedule("0 30 2 * * ?", "Europe/Berlin", Instant.now(), "25", "latest-ea");
    private final List<Playwright> playwrights = new ArrayList<>();
    /** Each used by one thread at a time: Playwright is not made for more. */
    private final BlockingQueue<Browser> idle = new ArrayBlockingQueue<>(BROWSERS);

    @BeforeAll
    void open() {
        retractions();
        for (int i = 0; i < BROWSERS; i++) {
            Playwright playwright = Chromium.playwright();
            playwrights.add(playwright);
            idle.add(Chromium.launch(playwright));
        }
    }

    /** One that stands, of a server that nobody measured, and one that was withdrawn. */
    private void retractions() {
        execute("""
                insert into retraction (kind, name, version, reason, retracted_by, retracted_at, withdrawn_by, withdrawn_at, withdrawal)
                select v.kind, 'shown', v.version, 'Its answers came from a cache, so nothing was computed.', account_id, now(),
                       case when v.withdrawn then account_id end, case when v.withdrawn then now() end,
                       case when v.withdrawn then 'The cache was switched off in all runs.' end
                  from account, (values ('server', repeat('3f2a90c1', 8), false), ('workload', '1', true)) v (kind, version, withdrawn)
                 where email = 'owner@example.org'
                """);
    }

    @AfterAll
    void close() {
        playwrights.forEach(Playwright::close);
    }

    private void browse(Browser.NewContextOptions options, Consumer<Page> use) throws InterruptedException {
        Browser browser = idle.take();
        try (BrowserContext context = browser.newContext(options)) {
            context.setDefaultTimeout(PATIENCE_MS);
            use.accept(context.newPage());
        } finally {
            idle.add(browser);
        }
    }

    private Map<String, String> paths() {
        Map<String, String> paths = new LinkedHashMap<>();
        paths.put("search", "/search?q=spring");
        paths.put("servers", "/servers");
        paths.put("server", "/servers/spring-mvc");
        paths.put("server-variant", "/servers/spring-mvc/virtual?jdk=all");
        paths.put("leaderboard", Results.board(Results.IO));
        paths.put("leaderboard-ranked", Results.board(Results.MATMUL));
        paths.put("leaderboard-pareto", Results.board(Results.MATMUL) + "?view=pareto");
        paths.put("leaderboard-closed", Results.board(Results.CLOSED));
        paths.put("run-closed", "/runs/" + ids.closedRun());
        paths.put("trial-closed", "/trials/" + ids.closedTrial());
        paths.put(
                "compare-closed",
                "/compare?a=" + Results.JDK_25 + "&b=" + Results.JDK_28_18 + "&metric=throughput_per_s");
        paths.put("compare", "/compare?a=" + Results.JDK_25 + "&b=" + Results.JDK_28_18);
        paths.put("chooser", "/compare");
        VariantBlocks blocks = SidesPagesTest.Shared.BLOCKS;
        String sides = encoded(blocks.side("first")) + "&b=" + encoded(blocks.side("slow"));
        paths.put("sides-chooser", "/compare?axis=server");
        paths.put("sides", "/compare?axis=server&a=" + sides + "&b=" + encoded(blocks.side("same")));
        paths.put("sides-runs", "/compare?axis=run&a=" + blocks.runs.get(0) + "&b=" + blocks.runs.get(1));
        SevenBlocks judged = VerdictPagesTest.Shared.RUN;
        paths.put("compare-judged", "/compare?show=all&a=" + judged.baseline + "&b=" + judged.candidate);
        paths.put("cells", "/compare/cells?a=" + blocks.cells.get(0) + "&b=" + blocks.cells.get(1));
        paths.put("run-verdicts", "/runs/" + blocks.runs.get(0) + "/verdicts");
        paths.put("grid", "/compare/grid?scenario=" + encoded(Results.MATMUL));
        paths.put("runs", "/runs");
        paths.put("runs-month", "/runs/months/2026-11");
        paths.put("runs-filtered", "/runs?state=done");
        paths.put("run", "/runs/" + ids.doneRun());
        paths.put("run-live", "/runs/" + ids.liveRun());
        paths.put("trial", "/trials/" + ids.trial());
        paths.put("trial-diagnostic", "/trials/" + ids.diagnosticTrial());
        paths.put("trial-search", "/trials/" + ids.searchTrial());
        paths.put("machine", "/w/main/machines/bench-pages");
        paths.put("machines", "/machines");
        paths.put("matrices", "/matrices");
        paths.put("matrix", "/w/main/matrices/starter");
        paths.put("schedules", "/schedules");
        paths.put("schedule", ScheduleRows.path(schedule));
        paths.put("history", "/series/" + ids.series());
        paths.put("watched-history", "/series/" + ids.watchedSeries());
        paths.put("history-range", "/series/" + ids.watchedSeries() + "?range=newest-30");
        paths.put("regressions", "/regressions?machine=" + regressions.rows.name);
        paths.put("regressions-empty", "/regressions?jdk=none");
        paths.put("regression", "/regressions/" + regressions.regression);
        paths.put("regression-suspect", "/regressions/" + regressions.suspect);
        paths.put("regression-control", "/regressions/" + ShownControl.shared().change);
        paths.put("flames", regressions.flames(""));
        paths.put("regression-bisected", "/regressions/" + ShownBisection.done().regression);
        paths.put("regression-bisectable", "/regressions/" + ShownBisection.waiting().regression);
        paths.put("run-rerun", "/runs/" + regressions.rerun);
        paths.put("retractions", "/retractions");
        paths.put("jdks", "/jdks");
        paths.put("jdk", "/jdks/28/" + Results.JDK_28_18);
        paths.put("patterns", "/patterns");
        paths.put("methodology", "/methodology");
        paths.put("glossary", "/metrics-glossary");
        paths.put("api", "/api");
        paths.put("status", "/status");
        paths.put("sign-in", "/sign-in");
        paths.put("sign-up", "/sign-up");
        paths.put("reset-password", "/reset-password");
        paths.put("workspace", "/w/main");
        paths.put("not-found", "/runs/none");
        paths.putAll(PEOPLES);
        paths.put("matrix-draft", "/matrices/new/draft?base=main/starter&machine=main/" + machine.slug());
        return paths;
    }

    @TestFactory
    @Execution(ExecutionMode.CONCURRENT)
    Stream<DynamicTest> page_passes_axe_fits_its_window_and_breaks_no_policy() {
        return paths().entrySet().stream()
                .map(path -> DynamicTest.dynamicTest(path.getKey(), () -> look(path.getKey(), path.getValue())));
    }

    @Test
    void every_page_is_looked_at() {
        List<PathContainer> looked = paths().values().stream()
                .map(path -> PathContainer.parsePath(path.replaceFirst("\\?.*", "")))
                .toList();
        Set<String> unseen = Routes.ALL.stream()
                .filter(route -> route.verb().equals("GET") && !isForPrograms(route.path()))
                .filter(route -> looked.stream().noneMatch(route.pattern()::matches))
                .map(Route::path)
                .collect(Collectors.toSet());
        assertThat(unseen)
                .as("pages that are neither in paths() nor, with a reason, in ELSEWHERE")
                .isEqualTo(ELSEWHERE.keySet());
    }

    private static boolean isForPrograms(String path) {
        return path.matches(
                "/(files|downloads|api)/.*|/metrics|/install\\.sh|.*/(events|bundle)|.*/artefacts/.*|.*\\.[a-z]+");
    }

    /** Opened once, then looked at as its reader turns the lights off and makes the window narrow. */
    private void look(String name, String path) throws InterruptedException {
        List<String> complaints = new ArrayList<>();
        browse(options(LOOKS.getFirst()), page -> {
            page.onConsoleMessage(m -> {
                if (m.type().equals("error") && !m.text().contains("404")) {
                    complaints.add(m.text());
                }
            });
            page.onPageError(complaints::add);
            if (PEOPLES.containsKey(name)) {
                signInAsOwner(page);
            }
            page.navigate(service.url() + path);
            assertThat(URI.create(page.url()).getPath())
                    .isEqualTo(URI.create(path).getPath());
            if (page.locator("[data-flame-difference]").count() > 0) {
                page.waitForSelector("[data-flame-difference][data-drawn]");
            }
            page.evaluate(AxeBuilder.getAxeScript());
            for (Look look : LOOKS) {
                page.emulateMedia(new Page.EmulateMediaOptions().setColorScheme(look.scheme()));
                page.setViewportSize(look.width(), look.height());
                if (page.locator("[data-charts]").count() > 0) {
                    page.waitForSelector("[data-charts][data-drawn]");
                }
                check(page, name, look);
            }
            assertThat(complaints).as("the browser's console").isEmpty();
        });
    }

    private static void check(Page page, String name, Look look) {
        page.screenshot(new Page.ScreenshotOptions()
                .setFullPage(true)
                .setPath(PICTURES.resolve(name + "-" + look.name() + ".png")));
        fitsItsWindow(page);
        assertThat(
                        page.evaluate(
                                "[...document.querySelectorAll('.finding')].every(f => f.getBoundingClientRect().right <= window.innerWidth)"))
                .as("sentences are read without scrolling sideways, %s", look.name())
                .isEqualTo(true);
        passesAxe(page, look);
    }

    /** No sideways scrolling of the page; a chart follows its window some frames later. */
    private static void fitsItsWindow(Page page) {
        page.waitForFunction("document.documentElement.scrollWidth <= window.innerWidth");
    }

    private static void passesAxe(Page page, Look look) {
        assertThat(page.evaluate(VIOLATIONS.formatted(look.rules().options)))
                .as(look.name())
                .asInstanceOf(InstanceOfAssertFactories.LIST)
                .isEmpty();
    }

    private static Browser.NewContextOptions options(Look look) {
        return new Browser.NewContextOptions()
                .setViewportSize(look.width(), look.height())
                .setColorScheme(look.scheme())
                .setReducedMotion(ReducedMotion.REDUCE);
    }

    @TestFactory
    Stream<DynamicTest> forms_that_only_owners_see_pass_axe_on_a_phone() {
        return Stream.of(
                        "watched-history",
                        "regression",
                        "regression-bisectable",
                        "machine",
                        "tokens",
                        "members",
                        "workspace")
                .map(name -> DynamicTest.dynamicTest(name, () -> lookAsOwner(name)));
    }

    private void lookAsOwner(String name) throws InterruptedException {
        browse(options(PHONE), page -> {
            signInAsOwner(page);
            page.navigate(service.url() + paths().get(name));
            page.locator("summary:has-text('Add a note')").all().forEach(Locator::click);
            page.screenshot(new Page.ScreenshotOptions()
                    .setFullPage(true)
                    .setPath(PICTURES.resolve(name + "-owner-phone.png")));
            fitsItsWindow(page);
            page.evaluate(AxeBuilder.getAxeScript());
            passesAxe(page, PHONE);
        });
    }

    @Test
    void theme_is_remembered_and_the_keyboard_reaches_the_content_first() throws InterruptedException {
        browse(new Browser.NewContextOptions().setColorScheme(ColorScheme.LIGHT), page -> {
            page.navigate(service.url() + "/methodology");
            page.keyboard().press("Tab");
            assertThat(page.evaluate("document.activeElement.className")).isEqualTo("skip");
            page.keyboard().press("Enter");
            page.waitForFunction("document.activeElement.id === 'main'");
            page.click("[data-theme-toggle]");
            page.navigate(service.url() + "/status");
            assertThat(page.evaluate("document.documentElement.dataset.theme")).isEqualTo("dark");
        });
    }

    @Test
    void live_run_is_updated_in_place() throws InterruptedException {
        browse(new Browser.NewContextOptions(), page -> {
            page.navigate(service.url() + "/runs/" + ids.liveRun());
            page.evaluate("document.querySelector('h1').dataset.kept = 'yes'");
            database.sql(
                            "update run set progress = jsonb_set(progress, '{phase}', '\"settle\"') where external_id = :id")
                    .bind("id", ids.liveRun())
                    .then()
                    .block(Duration.ofMinutes(2));
            page.waitForSelector("#live .progress:has-text('now settle')");
            assertThat(page.getAttribute("h1", "data-kept"))
                    .as("the page was not loaded anew")
                    .isEqualTo("yes");
        });
    }

    private void signInAsOwner(Page page) {
        page.context()
                .addCookies(List.of(
                        new Cookie(FormToken.SESSION_COOKIE, cast.ownerSession().value()).setUrl(service.url())));
    }

    @Test
    void without_scripts_the_leaderboard_and_a_trial_read_whole() throws InterruptedException {
        browse(new Browser.NewContextOptions().setJavaScriptEnabled(false), page -> {
            page.navigate(service.url() + paths().get("leaderboard"));
            // of each variant its newest release
            assertThat(page.locator("table.board tbody tr:not(.group)").count()).isEqualTo(4);
            page.navigate(service.url() + "/trials/" + ids.trial());
            page.locator("figure[data-chart=latency] summary").click();
            assertThat(page.locator("figure[data-chart=latency] tbody tr")
                            .first()
                            .isVisible())
                    .isTrue();
        });
    }
}
