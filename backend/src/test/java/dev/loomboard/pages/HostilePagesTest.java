package dev.loomboard.pages;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Playwright;
import dev.loomboard.kit.Chromium;
import dev.loomboard.kit.OneAtATime;
import dev.loomboard.kit.Results;
import dev.loomboard.kit.Service;
import dev.loomboard.kit.TestDatabases;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.r2dbc.core.DatabaseClient;

/** Pages of names and texts that somebody chose to do harm, that are too long, or of which there are none or too many. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@OneAtATime
final class HostilePagesTest {

    private static final Duration TIMEOUT = Duration.ofMinutes(2);
    private static final Path PICTURES = Path.of("target/pages");

    private static final String SCRIPT =
            "\"><script>document.title='harm'</script><img src=x onerror=\"document.title='harm'\">{{7*7}}";
    private static final String LONG = "Wolf".repeat(75);

    /** What their fields take, of those that take less. */
    private static final Map<String, Integer> LIMITS =
            Map.of("server", 61, "variant", 61, "name", 80, "title", 120, "framework", 120, "class_label", 200);

    private static final String RIGHT_TO_LEFT = "خادم سريع جدا ١٢٣";

    /** Columns of what people and agents name, table by table. */
    private static final Map<String, List<String>> NAMES = Map.of(
            "machine", List.of("name", "class_label"),
            "workspace", List.of("name"),
            "matrix", List.of("title"),
            "run", List.of("title"),
            "cell", List.of("server", "variant", "framework"),
            "series", List.of("server", "variant"),
            "leaderboard_entry", List.of("server", "variant", "framework", "class_label"),
            "annotation", List.of("note"),
            "trial", List.of("reason"),
            "point", List.of("reason"));

    private final ConfigurableApplicationContext service =
            Service.start(TestDatabases.fresh(), "--loomboard.pages.kept-for=0s");
    private final DatabaseClient database = service.getBean(DatabaseClient.class);
    private final String url = "http://localhost:" + service.getEnvironment().getProperty("local.server.port");
    private final Playwright playwright = Chromium.playwright();
    private final Browser browser = Chromium.launch(playwright);
    private final List<String> complaints = new ArrayList<>();

    @AfterAll
    void close() {
        playwright.close();
        service.close();
    }

    @Test
    void names_of_any_kind_are_only_words_and_break_no_page() {
        look(
                "none",
                Map.of(
                        "board", "/leaderboard",
                        "servers", "/servers",
                        "compare", "/compare",
                        "grid", "/compare/grid",
                        "runs", "/runs",
                        "machines", "/machines",
                        "regressions", "/regressions",
                        "jdks", "/jdks",
                        "search", "/search?q=none"));
        Results.Ids ids = new Results(database).put();
        Map<String, String> paths = paths(ids);
        for (Map.Entry<String, String> hostile :
                new TreeMap<>(Map.of("script", SCRIPT, "long", LONG, "right-to-left", RIGHT_TO_LEFT)).entrySet()) {
            NAMES.forEach((table, columns) -> columns.forEach(column -> rename(table, column, hostile.getValue())));
            look(hostile.getKey(), paths);
        }
        execute("update trial set state = 'failed'");
        look("failed", paths);
        execute("""
                insert into leaderboard_entry (workspace_id, visibility, scenario_key, workload, class_hash, class_label, machine_id, server, variant, framework, concurrency_model, collector, protocol, jdk_build_id, run_id, cell_id, trials, metrics, headline, standing, reasons, measured_at)
                select workspace_id, visibility, scenario_key, workload, class_hash, class_label, machine_id, 'many', 'variant-' || n, framework, concurrency_model, collector, protocol, jdk_build_id, run_id, cell_id, trials, metrics, headline, standing, reasons, measured_at
                  from (select * from leaderboard_entry where scenario_key = '%s' limit 1) one, generate_series(1, 500) n
                """.formatted(Results.MATMUL));
        look(
                "many",
                Map.of(
                        "board",
                        Results.board(Results.MATMUL),
                        "pareto",
                        Results.board(Results.MATMUL) + "?view=pareto",
                        "server",
                        "/servers",
                        "compare",
                        "/compare?axis=server"));
    }

    private void rename(String table, String column, String value) {
        int most = value.equals(LONG) ? LIMITS.getOrDefault(column, LONG.length()) : value.length();
        String typed = value.substring(0, most).replace("'", "''");
        // What is unique stays so.
        execute(
                "update %s set %s = '%s' || case when '%2$s' in ('variant', 'server') then left(md5(%2$s), 2) else '' end where %2$s is not null"
                        .formatted(table, column, typed));
    }

    private static Map<String, String> paths(Results.Ids ids) {
        Map<String, String> paths = new LinkedHashMap<>();
        paths.put("board", Results.board(Results.IO));
        paths.put("ranked", Results.board(Results.MATMUL));
        paths.put("pareto", Results.board(Results.MATMUL) + "?view=pareto");
        paths.put("servers", "/servers");
        paths.put("search", "/search?q=wolf");
        paths.put("compare", "/compare?a=" + Results.JDK_25 + "&b=" + Results.JDK_28_18);
        paths.put("chooser", "/compare?axis=server");
        paths.put("grid", "/compare/grid");
        paths.put("runs", "/runs");
        paths.put("run", "/runs/" + ids.doneRun());
        paths.put("run-live", "/runs/" + ids.liveRun());
        paths.put("trial", "/trials/" + ids.trial());
        paths.put("diagnostic", "/trials/" + ids.diagnosticTrial());
        paths.put("machines", "/machines");
        paths.put("machine", "/w/main/machines/bench-pages");
        paths.put("matrices", "/matrices");
        paths.put("matrix", "/w/main/matrices/invented-starter");
        paths.put("history", "/series/" + ids.series());
        paths.put("watched", "/series/" + ids.watchedSeries());
        paths.put("jdk", "/jdks/28/" + Results.JDK_28_18);
        paths.put("workspace", "/w/main");
        paths.put("status", "/status");
        return paths;
    }

    private void look(String kind, Map<String, String> paths) {
        try (BrowserContext context = browser.newContext()) {
            context.setDefaultTimeout(TIMEOUT.toMillis());
            Page page = context.newPage();
            page.onDialog(dialog -> complaints.add("a dialog: " + dialog.message()));
            page.onPageError(complaints::add);
            paths.forEach((name, path) -> look(page, kind + "-" + name, path));
        }
        assertThat(complaints).as("what pages of kind %s did", kind).isEmpty();
    }

    private void look(Page page, String name, String path) {
        var answer = page.navigate(url + path);
        if (answer == null || answer.status() != 200) {
            complaints.add(name + ": " + path + " answers " + (answer == null ? "nothing" : answer.status()));
        }
        if (page.title().equals("harm")
                || page.locator("[onerror], main script:not([src])").count() > 0) {
            complaints.add(name + ": a name became a part of the page");
        }
        for (int width : new int[] {1440, 360}) {
            page.setViewportSize(width, 800);
            if (page.locator("[data-charts]").count() > 0) {
                page.waitForSelector("[data-charts][data-drawn]");
            }
            page.screenshot(
                    new Page.ScreenshotOptions().setPath(PICTURES.resolve("hostile-" + name + "-" + width + ".png")));
            settle(page);
            int beyond = (int) page.evaluate("document.documentElement.scrollWidth - window.innerWidth");
            if (beyond > 0) {
                complaints.add(name + ": the page scrolls sideways by " + beyond + " px at " + width);
            }
        }
    }

    /** A page follows its window some frames later. */
    private static void settle(Page page) {
        page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))");
    }

    private void execute(String sql) {
        database.sql(sql).then().block(TIMEOUT);
    }
}
