package dev.loomboard.about;

import dev.loomboard.web.Page;
import dev.loomboard.web.PageTwin;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * How the service is doing, as far as the caller may know.
 *
 * @param databaseMillis how long the query that counted this took, as the service saw it
 * @param machines that called within the last two minutes, and all that are not revoked
 * @param lastTrial when the last trial ended; null: none has
 */
public record StatusPage(
        Instant at,
        String java,
        double databaseMillis,
        int machinesOnline,
        int machines,
        int queued,
        int active,
        int disconnected,
        @Nullable Instant lastTrial)
        implements Page, PageTwin {

    @Override
    public String template() {
        return "about/status.jte";
    }
}
