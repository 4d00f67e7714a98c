package dev.loomboard.webhook;

import dev.loomboard.kernel.Caller;
import dev.loomboard.kernel.Rows;
import dev.loomboard.kernel.WireName;
import dev.loomboard.kernel.WorkspaceId;
import dev.loomboard.notice.NoticeKindSql;
import dev.loomboard.outbox.MessageState;
import dev.loomboard.outbox.NoticeTitleSql;
import io.r2dbc.spi.Readable;
import java.net.URI;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Objects;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;
import reactor.core.publisher.Mono;

/** Webhooks of workspaces, and the messages to them. What changes them is called in a transaction. */
@Repository
class WebhookStore {

    private static final int MOST_MESSAGES = 50;

    private final DatabaseClient database;

    WebhookStore(DatabaseClient database) {
        this.database = database;
    }

    /** Where a message goes. */
    record Target(String url, BodyForm form, WebhookSecret secret, String workspaceName, Instant asked) {}

    /** Until the transaction ends nobody else adds one to the workspace. */
    Mono<Void> lock(WorkspaceId workspace) {
        return database.sql("select pg_advisory_xact_lock(hashtextextended('webhook', :workspace))")
                .bind("workspace", workspace.value())
                .then();
    }

    Mono<Long> count(WorkspaceId workspace) {
        return database.sql(
                        "select count(*) as there from webhook where workspace_id = :workspace and removed_at is null")
                .bind("workspace", workspace.value())
                .map(row -> Rows.number(row, "there"))
                .one();
    }

    /** Its external id. */
    Mono<String> add(
            WorkspaceId workspace, NewWebhook webhook, WebhookSecret secret, Caller.Person person, Instant now) {
        return database.sql("""
                        insert into webhook (workspace_id, name, url, body, secret, kinds, created_by, created_at)
                        values (:workspace, :name, :url, :body, :secret, :kinds, :account, :now)
                        returning external_id
                        """)
                .bind("workspace", workspace.value())
                .bind("name", webhook.name())
                .bind("url", webhook.url())
                .bind("body", webhook.form().wire())
                .bind("secret", secret.bytes())
                .bind("kinds", NoticeKindSql.names(webhook.kinds()))
                .bind("account", person.account().value())
                .bind("now", at(now))
                .map(row -> Rows.text(row, "external_id"))
                .one();
    }

    /** False: the workspace has no such webhook. */
    Mono<Boolean> remove(WorkspaceId workspace, String id, Instant now) {
        return database.sql("""
                        update webhook set removed_at = :now
                         where external_id = :id and workspace_id = :workspace and removed_at is null
                        """)
                .bind("id", id)
                .bind("workspace", workspace.value())
                .bind("now", at(now))
                .fetch()
                .rowsUpdated()
                .map(rows -> rows > 0);
    }

    Mono<List<Webhook>> of(WorkspaceId workspace) {
        return database.sql("""
                        select h.external_id, h.name, h.url, h.body, h.kinds, a.display_name, h.created_at
                          from webhook h join account a on a.account_id = h.created_by
                         where h.workspace_id = :workspace and h.removed_at is null order by h.webhook_id limit 100
                        """)
                .bind("workspace", workspace.value())
                .map(row -> new Webhook(
                        Rows.text(row, "external_id"),
                        Rows.text(row, "name"),
                        Objects.requireNonNullElse(
                                URI.create(Rows.text(row, "url")).getHost(), ""),
                        WireName.of(BodyForm.class, Rows.text(row, "body")),
                        NoticeKindSql.chosen(row),
                        Rows.text(row, "display_name"),
                        Rows.instant(row, "created_at")))
                .all()
                .collectList();
    }

    /** A message to each webhook of the workspace that wants the notice. Plan: webhook_workspace_ix. */
    Mono<Void> write(long notice, Instant now) {
        return database.sql("""
                        insert into outbox (workspace_id, notice_id, channel, recipient, created_at, next_try_at)
                        select n.workspace_id, n.notice_id, 'webhook', h.external_id, :now, :now
                          from notice n join webhook h using (workspace_id)
                         where n.notice_id = :notice and h.removed_at is null
                           and n.kind = any(h.kinds)
                        on conflict on constraint outbox_message_uq do nothing
                        """).bind("notice", notice).bind("now", at(now)).then();
    }

    /** A test message; false: the workspace has no such webhook, or one is under way. */
    Mono<Boolean> addTest(WorkspaceId workspace, String id, Instant now) {
        return database.sql("""
                        insert into outbox (workspace_id, channel, recipient, created_at, next_try_at)
                        select h.workspace_id, 'webhook', h.external_id, :now, :now from webhook h
                         where h.external_id = :id and h.workspace_id = :workspace and h.removed_at is null
                           and (select count(*) from outbox o where o.recipient = :id and o.notice_id is null
                                   and o.created_at > :now::timestamptz - interval '1 hour') < 10
                        """)
                .bind("id", id)
                .bind("workspace", workspace.value())
                .bind("now", at(now))
                .fetch()
                .rowsUpdated()
                .map(rows -> rows > 0);
    }

    /** Empty: it was removed. */
    Mono<Target> target(String webhook, String messageId) {
        return database.sql("""
                        select h.url, h.body, h.secret, w.name, o.created_at
                          from webhook h join workspace w using (workspace_id) join outbox o on o.message_id = :message
                         where h.external_id = :id and h.removed_at is null and w.deleted_at is null
                        """)
                .bind("id", webhook)
                .bind("message", messageId)
                .map(row -> new Target(
                        Rows.text(row, "url"),
                        WireName.of(BodyForm.class, Rows.text(row, "body")),
                        new WebhookSecret(Objects.requireNonNull(row.get("secret", byte[].class))),
                        Rows.text(row, "name"),
                        Rows.instant(row, "created_at")))
                .one();
    }

    /** The newest first. Plan: webhook_workspace_ix, outbox_recipient_ix. */
    Mono<List<WebhookMessage>> messages(WorkspaceId workspace) {
        return database.sql("""
                        select o.external_id, h.name, o.created_at, o.state, o.attempts, o.resends, o.sent_at, o.last_error,
                               """ + NoticeTitleSql.COLUMNS + """

                          from webhook h
                          join outbox o on o.recipient = h.external_id
                        """ + NoticeTitleSql.JOIN + """
                         where h.workspace_id = :workspace and h.removed_at is null
                         order by o.outbox_id desc limit :most
                        """)
                .bind("workspace", workspace.value())
                .bind("most", MOST_MESSAGES)
                .map(WebhookStore::message)
                .all()
                .collectList();
    }

    /** False: the workspace has no such message that was given up. */
    Mono<Boolean> again(WorkspaceId workspace, String message, Instant now) {
        return database.sql("""
                        update outbox o set state = 'waiting', attempts = 0, next_try_at = :now
                          from webhook h
                         where o.external_id = :message and o.state = 'dead' and o.channel = 'webhook'
                           and h.external_id = o.recipient and h.workspace_id = :workspace and h.removed_at is null
                        """)
                .bind("message", message)
                .bind("workspace", workspace.value())
                .bind("now", at(now))
                .fetch()
                .rowsUpdated()
                .map(rows -> rows > 0);
    }

    private static WebhookMessage message(Readable row) {
        return new WebhookMessage(
                Rows.text(row, "external_id"),
                Rows.text(row, "name"),
                Objects.requireNonNullElse(NoticeTitleSql.title(row), "Test message"),
                Rows.instant(row, "created_at"),
                WireName.of(MessageState.class, Rows.text(row, "state")),
                Rows.whole(row, "attempts"),
                Rows.whole(row, "resends"),
                Rows.instantOrNull(row, "sent_at"),
                Rows.textOrNull(row, "last_error"));
    }

    private static OffsetDateTime at(Instant instant) {
        return instant.atOffset(ZoneOffset.UTC);
    }
}
