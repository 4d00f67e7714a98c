package dev.loomboard.webhook;

import dev.loomboard.notice.NoticeKind;
import dev.loomboard.web.FormState;
import dev.loomboard.web.Page;
import dev.loomboard.workspace.WorkspaceView;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A workspace's webhooks, and what came of the newest messages to them.
 *
 * @param form to add one
 * @param made the secret of the one just made, shown this once; null: none was
 * @param done what was done just before; null: nothing
 */
public record WebhooksPage(
        WorkspaceView workspace,
        List<Webhook> webhooks,
        List<WebhookMessage> messages,
        WebhookReach reach,
        FormState form,
        @Nullable String made,
        @Nullable String done)
        implements Page {

    public WebhooksPage {
        webhooks = List.copyOf(webhooks);
        messages = List.copyOf(messages);
    }

    @Override
    public String template() {
        return "workspace/webhooks.jte";
    }

    public List<NoticeKind> kinds() {
        return List.of(NoticeKind.values());
    }

    public List<BodyForm> bodies() {
        return List.of(BodyForm.values());
    }

    /** False: the operator allows none. */
    public boolean allowed() {
        return reach != WebhookReach.NOWHERE;
    }
}
