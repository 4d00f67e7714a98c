package dev.loomboard.pages;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Download;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import dev.loomboard.kit.Cast.Role;
import dev.loomboard.kit.Results;
import dev.loomboard.kit.TestMachine;
import java.io.IOException;
import java.nio.file.Files;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;

/** What changes while it is read, and what a reader takes away. */
final class LivePagesTest extends BrowsedPages {

    private final Results.Ids ids = Results.shared();
    private final TestMachine machine = TestMachine.registered(as(Role.TOKEN), client, "public");

    private void queue(String title) {
        execute("""
                insert into run (external_id, workspace_id, machine_id, matrix_id, title, visibility, spec, state, methodology, created_by)
                select new_external_id('run'), m.workspace_id, m.machine_id, x.matrix_id, '%s', 'public', x.spec, 'queued', 'm1', 'test'
                  from machine m join matrix x on x.workspace_id = m.workspace_id and x.slug = 'starter' where m.external_id = '%s'
                """.formatted(title, machine.id()));
    }

    private Locator run(String title) {
        return page.locator("[aria-label='Recent runs'] tbody tr", new Page.LocatorOptions().setHasText(title));
    }

    @Test
    void machine_and_its_runs_are_seen_to_change_and_the_focus_stays() {
        queue("First of two");
        start("/w/main/machines/" + machine.slug());
        assertThat(page.locator("#presence")).containsText("not started yet");
        run("First of two").locator("a").focus();
        queue("Second of two");
        execute("update run set state = 'cancelled', finished_at = now() where title = 'First of two'");
        // Online for as long as a busy machine may take to look again.
        execute("update machine set last_seen_at = now() + interval '1 hour' where external_id = '%s'"
                .formatted(machine.id()));
        assertThat(run("Second of two")).hasCount(1);
        assertThat(run("First of two")).containsText("cancelled");
        assertThat(page.locator("#presence")).containsText("online");
        assertThat(page.locator("a:focus")).hasText("First of two");
        isTheSameDocument();
        run("Second of two").locator("a").click();
        assertThat(page.locator("h1")).containsText("Second of two");
    }

    @Test
    void chart_is_saved_as_a_picture() throws IOException {
        start("/series/" + ids.watchedSeries());
        page.waitForSelector("[data-charts][data-drawn]");
        Download download = page.waitForDownload(
                () -> page.locator("figure [data-png]").first().click());
        assertThat(download.suggestedFilename()).endsWith(".png");
        assertThat(ImageIO.read(Files.newInputStream(download.path())).getHeight())
                .as("the drawing, with its title above and its address below")
                .isGreaterThan((int) page.locator("figure .chart-box").first().boundingBox().height);
    }
}
