package dev.loomboard.outbox;

import dev.loomboard.kernel.Secret;
import dev.loomboard.kit.People;
import dev.loomboard.kit.Service;
import dev.loomboard.notice.NoticeKind;
import dev.loomboard.notice.NoticeKindSql;
import java.time.Duration;
import java.time.LocalTime;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.springframework.r2dbc.core.DatabaseClient;

/** Members of the default workspace whose addresses are proven, and what the outbox has for them. */
final class Recipients {

    private static final Duration TIMEOUT = Duration.ofMinutes(2);

    private final DatabaseClient database;
    private final People people;

    Recipients(Service service) {
        database = service.bean(DatabaseClient.class);
        people = new People(database);
    }

    record Recipient(String id, Secret session) {
        String email() {
            return id + "@people.example.org";
        }
    }

    Recipient add(String role) {
        People.Somebody somebody = people.add("Somebody");
        run("update account set email_verified_at = now() where external_id = :id", Map.of("id", somebody.id()));
        run("""
                insert into workspace_member (workspace_id, account_id, role)
                select w.workspace_id, a.account_id, :role from workspace w, account a where w.slug = 'main' and a.external_id = :id
                """, Map.of("id", somebody.id(), "role", role));
        return new Recipient(somebody.id(), somebody.session());
    }

    void leave(Recipient who) {
        run(
                "delete from workspace_member where account_id = (select account_id from account where external_id = :id)",
                Map.of("id", who.id()));
    }

    void choose(Recipient who, NoticeKind... kinds) {
        run("""
                insert into mail_choice (account_id, workspace_id, kinds)
                select a.account_id, w.workspace_id, :kinds from account a, workspace w
                 where a.external_id = :id and w.slug = 'main'
                on conflict on constraint mail_choice_pk do update set kinds = excluded.kinds
                """, Map.of("id", who.id(), "kinds", NoticeKindSql.names(List.of(kinds))));
    }

    void quiet(Recipient who, String zone, LocalTime from, LocalTime to) {
        run("""
                insert into mail_choice (account_id, workspace_id, kinds, zone, quiet_from, quiet_to)
                select a.account_id, w.workspace_id, array['slower', 'fails-more'], :zone, :from, :to from account a, workspace w
                 where a.external_id = :id and w.slug = 'main'
                """, Map.of("id", who.id(), "zone", zone, "from", from, "to", to));
    }

    void summary(Recipient who, String zone, LocalTime at) {
        run("""
                insert into mail_choice (account_id, workspace_id, kinds, zone, summary_at)
                select a.account_id, w.workspace_id, array['slower', 'fails-more'], :zone, :at from account a, workspace w
                 where a.external_id = :id and w.slug = 'main'
                """, Map.of("id", who.id(), "zone", zone, "at", at));
    }

    /** Messages to the person about a build. */
    long messages(Recipient who, String build) {
        return number("""
                select count(*) from outbox o join notice n using (notice_id) join jdk_build j using (jdk_build_id)
                 where o.recipient = :id and j.slug = :build
                """, Map.of("id", who.id(), "build", build));
    }

    /** A column of the newest message to the person, as text; "null": it holds nothing. */
    String newest(Recipient who, String column) {
        return Objects.requireNonNull(database.sql("select coalesce((" + column
                        + ")::text, 'null') from outbox where recipient = :id order by outbox_id desc limit 1")
                .bind("id", who.id())
                .map(row -> row.get(0, String.class))
                .one()
                .block(TIMEOUT));
    }

    long notices(String build, String kind) {
        return number(
                "select count(*) from notice join jdk_build j using (jdk_build_id) where j.slug = :build and kind = :kind",
                Map.of("build", build, "kind", kind));
    }

    long number(String sql, Map<String, Object> values) {
        return Objects.requireNonNull(database.sql(sql)
                .bindValues(values)
                .map(row -> row.get(0, Long.class))
                .one()
                .block(TIMEOUT));
    }

    void run(String sql, Map<String, Object> values) {
        database.sql(sql).bindValues(values).then().block(TIMEOUT);
    }
}
