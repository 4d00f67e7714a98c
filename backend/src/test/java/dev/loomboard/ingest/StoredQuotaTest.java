package dev.loomboard.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.loomboard.kit.PlannedTrial;
import java.io.IOException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a workspace may store, counted with its uploads. */
final class StoredQuotaTest extends UploadWebTest {

    private String slug = "";

    @BeforeEach
    void plantInWorkspaceOfItsOwn() {
        plan = PlannedTrial.random();
        slug = "stores-" + plan.machine().substring(4);
        execute("insert into workspace (external_id, slug, name) values (new_external_id('wsp'), '" + slug
                + "', 'Stores')");
        execute(plan.sql().replace("'main'", "'" + slug + "'"));
    }

    @Test
    void upload_is_counted_once_by_what_it_takes() throws IOException {
        assertThat(put("first", b -> {})).isEqualTo(204);
        long first = stored();
        assertThat(first).isEqualTo(ofBatches()).isPositive();
        assertThat(put("first", b -> {})).isEqualTo(204);
        assertThat(stored()).as("the very same again").isEqualTo(first);
        assertThat(put("middle", b -> {})).isEqualTo(204);
        assertThat(put("last", b -> {})).isEqualTo(204);
        assertThat(stored()).isEqualTo(ofBatches()).isGreaterThan(first);
    }

    @Test
    void upload_without_room_is_sent_again_and_stored_when_there_is() throws IOException {
        execute(
                "insert into workspace_limit (workspace_id, stored_bytes) select workspace_id, 10 from workspace where slug = '"
                        + slug + "'");
        refused(429, null, () -> {
            Answer answer = send("first", b -> {});
            assertThat(answer.problem()).isNotNull().satisfies(problem -> {
                assertThat(problem.type()).endsWith("/quota");
                assertThat(problem.detail()).contains("stored measurements", "The agent keeps the upload");
            });
            return answer;
        });
        execute("update workspace_limit set stored_bytes = 1000000 where stored_bytes = 10");
        assertThat(put("first", b -> {})).isEqualTo(204);
    }

    @Test
    void trial_whose_samples_were_removed_takes_no_more() {
        execute(
                "update trial set state = 'aborted', finished_at = now(), samples_removed_at = now() where external_id = '"
                        + plan.trial() + "'");
        refused(410, null, () -> send("first", b -> {}));
    }

    private long stored() {
        return number("select stored_bytes from workspace_usage join workspace using (workspace_id) where slug = '"
                + slug + "'");
    }

    private long ofBatches() {
        return Long.parseLong(text("select sum(sample_bytes + kept_bytes)::text from batch", "trial_id"));
    }
}
