package dev.loomboard.kit;

import dev.loomboard.kernel.ExternalId;
import dev.loomboard.kernel.Secret;
import java.time.Duration;
import org.springframework.r2dbc.core.DatabaseClient;

/** People of a test's own, who belong to nothing yet. */
public final class People {

    private static final Duration TIMEOUT = Duration.ofMinutes(2);

    private final DatabaseClient database;

    public People(DatabaseClient database) {
        this.database = database;
    }

    /**
     * @param id external id of the account
     * @param session the value of the cookie
     */
    public record Somebody(String id, Secret session) {}

    public Somebody add(String name) {
        Somebody somebody = new Somebody(ExternalId.random("acc").value(), Secret.random("lbs"));
        database.sql("""
                        with a as (insert into account (external_id, email, display_name, password_hash)
                                   values (:id, :id || '@people.example.org', :name, 'none') returning account_id)
                        insert into session (token_hash, account_id, expires_at)
                        select :hash, account_id, now() + interval '1 hour' from a
                        """)
                .bind("id", somebody.id())
                .bind("name", name)
                .bind("hash", somebody.session().hash())
                .then()
                .block(TIMEOUT);
        return somebody;
    }
}
