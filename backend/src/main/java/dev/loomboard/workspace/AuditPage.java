package dev.loomboard.workspace;

import dev.loomboard.audit.AuditEntry;
import dev.loomboard.audit.AuditFilter;
import dev.loomboard.web.Page;
import dev.loomboard.web.PageTwin;
import dev.loomboard.web.Urls;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Who did what, the newest first.
 *
 * @param workspace null: in the whole installation
 * @param older the number of the last row, after which the next page begins; null: there is none
 */
public record AuditPage(
        @Nullable WorkspaceView workspace,
        AuditFilter filter,
        List<AuditEntry> events,
        @Nullable Long older) implements Page {

    /** @param older address of the next page; null: this is the last */
    public record Twin(List<AuditEntry> events, @Nullable String older) implements PageTwin {}

    Twin twin() {
        return new Twin(events, older == null ? null : address(".json", older));
    }

    /** The page's own address, without a query. */
    public String path() {
        return workspace == null ? Urls.audit() : Urls.audit(workspace.slug());
    }

    /**
     * @param ending such as {@code .csv}
     * @param key the page after this row; null: the newest
     */
    public String address(String ending, @Nullable Long key) {
        String query = filter.query(key);
        return path() + ending + (query.isEmpty() ? "" : "?" + query);
    }

    @Override
    public String template() {
        return "workspace/audit.jte";
    }
}
