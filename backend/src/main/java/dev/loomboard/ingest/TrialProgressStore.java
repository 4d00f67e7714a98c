package dev.loomboard.ingest;

import static dev.loomboard.kernel.Rows.text;
import static dev.loomboard.kernel.Rows.textOrNull;
import static dev.loomboard.kernel.Rows.whole;

import dev.loomboard.kernel.WireName;
import dev.loomboard.measurement.SearchEnd;
import dev.loomboard.measurement.StoredJson;
import dev.loomboard.measurement.TrialEnd;
import dev.loomboard.measurement.TrialStart;
import dev.loomboard.measurement.Validity;
import io.r2dbc.postgresql.codec.Json;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.r2dbc.core.Parameter;
import org.springframework.stereotype.Repository;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import tools.jackson.databind.json.JsonMapper;

/** What uploads change on a trial itself. Its triggers tell those who watch the run. */
@Repository
class TrialProgressStore {

    private final DatabaseClient database;
    private final JsonMapper json;

    TrialProgressStore(DatabaseClient database, JsonMapper json) {
        this.database = database;
        this.json = json;
    }

    /** @param skewNs agent's clock minus ours; null: the sender did not say its own */
    Mono<Void> start(long trial, TrialStart start, @Nullable Long skewNs) {
        return database.sql("""
                        update trial set started_at = :began, skew_ns = :skew, server_digest = :digest,
                               fingerprint_hash = :fingerprint, class_hash = :class, agent_version = :agent,
                               start_facts = :facts
                         where trial_id = :trial
                        """)
                .bind("trial", trial)
                .bind("began", start.began().atOffset(ZoneOffset.UTC))
                .bind("skew", Parameter.fromOrEmpty(skewNs, Long.class))
                .bind("digest", Parameter.fromOrEmpty(start.serverDigest(), String.class))
                .bind("fingerprint", start.fingerprintHash())
                .bind("class", start.classHash())
                .bind("agent", start.agentVersion())
                .bind("facts", Json.of(json.writeValueAsString(start)))
                .then();
    }

    Mono<Void> end(long trial, TrialEnd end) {
        return database.sql("update trial set end_facts = :facts where trial_id = :trial")
                .bind("trial", trial)
                .bind("facts", Json.of(json.writeValueAsString(end)))
                .then();
    }

    /**
     * Running, and in the phase that began last: batches may come in any order. A heartbeat is quicker than a batch: a
     * phase that no batch has told of yet is ahead of all that did, and stays.
     */
    Mono<Void> progress(long trial) {
        return database.sql("""
                        update trial t
                           set state = case t.state when 'planned' then 'running' else t.state end,
                               phase = case
                                 when t.phase is null
                                      or exists (select from trial_phase p where p.trial_id = t.trial_id and p.phase = t.phase)
                                 then coalesce((select p.phase from trial_phase p where p.trial_id = t.trial_id
                                                order by p.at_ns desc, p.phase limit 1), t.phase) else t.phase end
                         where t.trial_id = :trial and t.state in ('planned', 'running')
                        """).bind("trial", trial).then();
    }

    Mono<Void> markLate(long trial) {
        return database.sql("update trial set late = true where trial_id = :trial")
                .bind("trial", trial)
                .then();
    }

    /** Its outcome is what its end says, its validity that of its steps. True when it had not ended before. */
    Mono<Boolean> seal(long trial, Instant now) {
        return Mono.zip(steps(trial).collectList(), search(trial))
                .flatMap(facts -> seal(
                        trial,
                        now,
                        TrialValidity.of(facts.getT1(), facts.getT2().orElse(null))));
    }

    /** By step_ordinal_uq. */
    private Flux<TrialValidity.Step> steps(long trial) {
        return database.sql(
                        "select ordinal, coalesce(rate, 0) as rate, validity, reason from step where trial_id = :trial order by ordinal")
                .bind("trial", trial)
                .map(row -> new TrialValidity.Step(
                        whole(row, "ordinal"),
                        Objects.requireNonNull(row.get("rate", Double.class)),
                        WireName.of(Validity.class, text(row, "validity")),
                        textOrNull(row, "reason")))
                .all();
    }

    /** Empty: its load was none. */
    private Mono<Optional<SearchEnd>> search(long trial) {
        return database.sql("select (end_facts -> 'search')::text as search from trial where trial_id = :trial")
                .bind("trial", trial)
                .map(row -> Optional.ofNullable(textOrNull(row, "search"))
                        .flatMap(text -> Optional.ofNullable(StoredJson.read(text, SearchEnd.class))))
                .one();
    }

    private Mono<Boolean> seal(long trial, Instant now, TrialValidity sound) {
        Validity validity = sound.validity();
        return database.sql("""
                        update trial t
                           set state = t.end_facts ->> 'outcome', finished_at = :now,
                               phase = coalesce((select p.phase from trial_phase p where p.trial_id = :trial
                                                  order by p.at_ns desc, p.phase limit 1), t.phase),
                               validity = :validity, reason = coalesce(t.end_facts ->> 'reason', :reason)
                         where t.trial_id = :trial and t.state in ('planned', 'running')
                        """)
                .bind("trial", trial)
                .bind("now", now.atOffset(ZoneOffset.UTC))
                .bind("validity", Parameter.fromOrEmpty(validity == null ? null : validity.wire(), String.class))
                .bind("reason", Parameter.fromOrEmpty(sound.reason(), String.class))
                .fetch()
                .rowsUpdated()
                .map(rows -> rows > 0);
    }
}
