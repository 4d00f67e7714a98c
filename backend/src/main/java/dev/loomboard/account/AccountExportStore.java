package dev.loomboard.account;

import dev.loomboard.kernel.AccountId;
import dev.loomboard.kernel.Rows;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;
import reactor.core.publisher.Mono;

/** Everything that names a person, in one document, made by the database. */
@Repository
class AccountExportStore {

    private final DatabaseClient database;

    AccountExportStore(DatabaseClient database) {
        this.database = database;
    }

    /** As JSON. It reads the runs and the audit log whole, which have no index by person: it is asked for once in a while. */
    Mono<String> of(AccountId account) {
        return database.sql("""
                        with me as (
                          select account_id, external_id, email, display_name, administrator, created_at, email_verified_at
                            from account where account_id = :account
                        )
                        select jsonb_build_object(
                          'schema', 'loomboard.account-export/1',
                          'account', jsonb_build_object(
                            'id', me.external_id, 'email', me.email, 'name', me.display_name,
                            'administrator', me.administrator, 'created', me.created_at,
                            'emailVerified', me.email_verified_at,
                            'twoStep', exists (select 1 from account_totp t
                                                where t.account_id = me.account_id and t.confirmed_at is not null)),
                          'identities', (select coalesce(jsonb_agg(jsonb_build_object(
                              'issuer', i.issuer, 'subject', i.subject, 'linked', i.linked_at)), '[]')
                            from openid_identity i where i.account_id = me.account_id),
                          'workspaces', (select coalesce(jsonb_agg(jsonb_build_object(
                              'workspace', w.slug, 'role', m.role, 'since', m.created_at)), '[]')
                            from workspace_member m join workspace w using (workspace_id)
                           where m.account_id = me.account_id),
                          'sessions', (select coalesce(jsonb_agg(jsonb_build_object(
                              'id', s.external_id, 'begun', s.created_at, 'lastUsed', s.last_seen_at,
                              'expires', s.expires_at, 'address', s.address, 'browser', s.browser)), '[]')
                            from session s where s.account_id = me.account_id),
                          'tokens', (select coalesce(jsonb_agg(jsonb_build_object(
                              'id', t.external_id, 'name', t.name, 'scopes', t.scopes, 'created', t.created_at,
                              'expires', t.expires_at, 'revoked', t.revoked_at, 'lastUsed', t.last_used_at)), '[]')
                            from api_token t where t.created_by = me.account_id),
                          'mailChoices', (select coalesce(jsonb_agg(jsonb_build_object(
                              'workspace', w.slug, 'kinds', c.kinds, 'zone', c.zone,
                              'quietFrom', c.quiet_from, 'quietTo', c.quiet_to, 'summaryAt', c.summary_at)), '[]')
                            from mail_choice c join workspace w using (workspace_id) where c.account_id = me.account_id),
                          'mails', (select coalesce(jsonb_agg(jsonb_build_object(
                              'id', o.external_id, 'messageId', o.message_id, 'written', o.created_at, 'state', o.state,
                              'sent', o.sent_at)), '[]')
                            from outbox o where o.recipient = me.external_id),
                          'registrations', (select coalesce(jsonb_agg(jsonb_build_object(
                              'id', r.external_id, 'machine', r.machine_slug, 'created', r.created_at)), '[]')
                            from registration_token r where r.created_by = me.external_id),
                          'schedules', (select coalesce(jsonb_agg(jsonb_build_object(
                              'id', s.external_id, 'title', s.title, 'created', s.created_at)), '[]')
                            from schedule s where s.created_by = me.account_id),
                          'runs', (select coalesce(jsonb_agg(jsonb_build_object(
                              'id', r.external_id, 'title', r.title, 'created', r.created_at)), '[]')
                            from run r where r.created_by = me.external_id),
                          'notes', (select coalesce(jsonb_agg(jsonb_build_object(
                              'id', n.external_id, 'day', n.day, 'note', n.note, 'created', n.created_at)), '[]')
                            from annotation n where n.created_by = me.account_id),
                          'triage', (select coalesce(jsonb_agg(jsonb_build_object(
                              'regression', c.external_id, 'at', e.at, 'was', e.was, 'becomes', e.becomes,
                              'note', e.note)), '[]')
                            from regression_event e join change_point c using (change_point_id)
                           where e.account_id = me.account_id or e.owner_id = me.account_id),
                          'looksAfter', (select coalesce(jsonb_agg(c.external_id), '[]')
                            from change_point c where c.triage_owner_id = me.account_id),
                          'bisections', (select coalesce(jsonb_agg(b.external_id), '[]')
                            from bisection b where b.account_id = me.account_id),
                          'retractions', (select coalesce(jsonb_agg(jsonb_build_object(
                              'id', r.external_id, 'reason', r.reason, 'retracted', r.retracted_at)), '[]')
                            from retraction r where me.account_id in (r.retracted_by, r.withdrawn_by)),
                          'audit', (select coalesce(jsonb_agg(jsonb_build_object(
                              'at', e.at, 'actor', e.actor, 'action', e.action, 'subject', e.subject,
                              'detail', e.detail)), '[]')
                            from audit_event e where me.external_id in (e.actor, e.subject))
                        )::text as export
                          from me
                        """)
                .bind("account", account.value())
                .map(row -> Rows.text(row, "export"))
                .one();
    }
}
