package dev.loomboard.outbox;

import dev.loomboard.kernel.Rows;
import dev.loomboard.kernel.WireName;
import dev.loomboard.kernel.WorkspaceId;
import dev.loomboard.notice.NoticeStore;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Set;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Notices that are due, and the messages that tell them. */
@Repository
class OutboxStore {

    private static final int MOST_NOTICES = 50;
    private static final int LONGEST_ERROR = 500;

    /**
     * An alarm, at once. What a build changed when nothing was added for a while and no suspect of the build waits for a rerun or for its
     * end, or it gathers for too long already; one of which nothing stands waits. Plan: notice_waiting_ix, change_point_jdk_build_ix, {@link ToldCellSql#CELLS}.
     */
    private static final String DUE = """
            select n.notice_id from notice n
             where n.told_at is null
               and (n.jdk_build_id is null or n.first_at <= :oldest
                    or n.newest_at <= :settled
                       and not exists (
                         select from change_point cp join series s using (series_id) join machine m on m.machine_id = s.machine_id
                          where cp.jdk_build_id = n.jdk_build_id and cp.workspace_id = n.workspace_id and cp.status = 'suspect'
                            and %s = n.machine_class
                            and (cp.rerun_further is not null
                                 or cp.rerun_reason is null and (cp.rerun_run_id is not null or m.reruns))))
               and (n.jdk_build_id is null or exists (select from %s x where x.notice_id = n.notice_id))
             order by n.notice_id limit :most
               for update of n skip locked
            """.formatted(NoticeStore.MACHINE_CLASS, ToldCellSql.CELLS);

    private final DatabaseClient database;

    OutboxStore(DatabaseClient database) {
        this.database = database;
    }

    /** Keys, locked until the transaction ends; those that another replica has are left to it. */
    Flux<Long> due(Instant now, OutboxTimes times) {
        return database.sql(DUE)
                .bind("oldest", at(now.minus(times.longest())))
                .bind("settled", at(now.minus(times.settle())))
                .bind("most", MOST_NOTICES)
                .map(row -> Rows.number(row, "notice_id"))
                .all();
    }

    /** Closes it: what is confirmed from now on is not told with it. */
    Mono<Void> close(long notice, Instant now) {
        return database.sql("update notice set told_at = :now where notice_id = :notice")
                .bind("notice", notice)
                .bind("now", at(now))
                .then();
    }

    /**
     * Takes some that are due, the oldest first, for the length of the lease; also those whose replica did not come back in time.
     *
     * @param channels those that this replica can send by: the others' messages are left to others
     */
    Flux<OutboxMessage> take(Instant now, Duration lease, Set<Channel> channels, int most) {
        return database.sql("""
                        update outbox o
                           set state = 'sending', attempts = o.attempts + 1, resends = o.resends + (d.state = 'sending')::int,
                               lease_until = :until
                          from (select outbox_id, state from outbox
                                 where channel = any(:channels)
                                   and (state in ('waiting', 'failed') and next_try_at <= :now
                                        or state = 'sending' and lease_until <= :now)
                                 order by next_try_at, outbox_id limit :most for update skip locked) d
                         where o.outbox_id = d.outbox_id
                        returning o.outbox_id, o.channel, o.workspace_id, o.notice_id, o.summary_at is not null as summary, o.recipient,
                                  o.message_id, o.attempts
                        """)
                .bind("channels", channels.stream().map(Channel::wire).toArray(String[]::new))
                .bind("now", at(now))
                .bind("until", at(now.plus(lease)))
                .bind("most", most)
                .map(row -> new OutboxMessage(
                        Rows.number(row, "outbox_id"),
                        WireName.of(Channel.class, Rows.text(row, "channel")),
                        new WorkspaceId(Rows.number(row, "workspace_id")),
                        row.get("notice_id", Long.class),
                        Rows.flag(row, "summary"),
                        Rows.text(row, "recipient"),
                        Rows.text(row, "message_id"),
                        Rows.whole(row, "attempts")))
                .all();
    }

    Mono<Void> sent(OutboxMessage message, Instant now) {
        return database.sql("""
                        update outbox set state = 'sent', sent_at = :now, lease_until = null, last_error = null
                         where outbox_id = :key and state = 'sending' and attempts = :attempt
                        """)
                .bind("key", message.key())
                .bind("attempt", message.attempt())
                .bind("now", at(now))
                .then();
    }

    /** It waits until then as if nobody had taken it. */
    Mono<Void> later(OutboxMessage message, Instant until) {
        return database.sql("""
                        update outbox set state = 'waiting', attempts = attempts - 1, next_try_at = :until, lease_until = null
                         where outbox_id = :key and state = 'sending' and attempts = :attempt
                        """)
                .bind("until", at(until))
                .bind("key", message.key())
                .bind("attempt", message.attempt())
                .then();
    }

    /** It is tried again at that time. */
    Mono<Void> failed(OutboxMessage message, String why, Instant next) {
        return over(message, "failed", why, next);
    }

    /** It is given up. */
    Mono<Void> dead(OutboxMessage message, String why, Instant now) {
        return over(message, "dead", why, now);
    }

    private Mono<Void> over(OutboxMessage message, String state, String why, Instant next) {
        return database.sql("""
                        update outbox set state = :state, next_try_at = :next, lease_until = null, last_error = :why
                         where outbox_id = :key and state = 'sending' and attempts = :attempt
                        """)
                .bind("state", state)
                .bind("next", at(next))
                .bind("why", why.substring(0, Math.min(why.length(), LONGEST_ERROR)))
                .bind("key", message.key())
                .bind("attempt", message.attempt())
                .then();
    }

    private static OffsetDateTime at(Instant instant) {
        return instant.atOffset(ZoneOffset.UTC);
    }
}
