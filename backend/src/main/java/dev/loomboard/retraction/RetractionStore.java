package dev.loomboard.retraction;

import static dev.loomboard.kernel.Rows.instant;
import static dev.loomboard.kernel.Rows.instantOrNull;
import static dev.loomboard.kernel.Rows.number;
import static dev.loomboard.kernel.Rows.text;
import static dev.loomboard.kernel.Rows.textOrNull;

import dev.loomboard.kernel.Caller;
import dev.loomboard.kernel.VisibleSql;
import dev.loomboard.kernel.WireName;
import dev.loomboard.kernel.WorkspaceId;
import dev.loomboard.retracted.RetractedSql;
import dev.loomboard.retracted.Version;
import dev.loomboard.scenario.ScenarioSql;
import io.r2dbc.spi.Readable;
import java.time.Instant;
import java.time.ZoneOffset;
import org.jspecify.annotations.Nullable;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.r2dbc.core.Parameter;
import org.springframework.stereotype.Repository;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Retractions. They are public, for results of every workspace. One of a
 * private machine or run is seen by who sees that.
 */
@Repository
class RetractionStore {

    private static final int MOST_VERSIONS = 200;

    /**
     * Only an administrator who retracts waits for it. Plan: the series of the server, which do not grow with time, then
     * point_series_measured_ix until the first that is found.
     */
    static final String KNOWN = """
            select exists (
              select from series s
               where case :kind when 'server' then s.server else s.workload end = :name
                 and (:kind = 'server' or """ + ScenarioSql.workloadVersion("s.scenario_key") + """
                  = :version)
                 and exists (select from point p join run r using (run_id)
                              where p.series_id = s.series_id and (:kind = 'workload' or p.server_digest = :version)
                                and visible(r))) as known
            """;

    /** Plan: machine_external_id_uq. */
    static final String MACHINE = """
            select w.slug || '/' || m.slug as name, m.machine_id as key, m.workspace_id
              from machine m join workspace w using (workspace_id)
             where m.external_id = :version and visible(m)
            """;

    /** Plan: run_external_id_uq. */
    static final String RUN = """
            select r.title as name, r.run_id as key, r.workspace_id from run r where r.external_id = :version and visible(r)
            """;

    private final DatabaseClient database;

    RetractionStore(DatabaseClient database) {
        this.database = database;
    }

    /** Nobody rolls up until the transaction ends, and what was being rolled up is done. */
    Mono<Void> lock() {
        return database.sql(RetractedSql.LOCK).then();
    }

    /**
     * What is to be retracted, as it is stored.
     *
     * @param key internal, of the machine or run; null, with its workspace: of another kind
     */
    record Subject(Version of, @Nullable Long key, @Nullable WorkspaceId workspace) {}

    /** Empty: the caller may not see a result of it, or not the machine or run. */
    Mono<Subject> subject(Version version, Caller caller) {
        return switch (version.kind()) {
            case SERVER, WORKLOAD ->
                known(version, caller).filter(known -> known).map(known -> new Subject(version, null, null));
            case MACHINE -> subject(version, caller, MACHINE);
            case RUN -> subject(version, caller, RUN);
        };
    }

    private Mono<Subject> subject(Version version, Caller caller, String sql) {
        return VisibleSql.query(database, caller, sql)
                .bind("version", version.version())
                .map(row -> new Subject(
                        new Version(version.kind(), text(row, "name"), version.version()),
                        number(row, "key"),
                        new WorkspaceId(number(row, "workspace_id"))))
                .one();
    }

    private Mono<Boolean> known(Version version, Caller caller) {
        return VisibleSql.query(database, caller, KNOWN)
                .bind("kind", version.kind().wire())
                .bind("name", version.name())
                .bind("version", version.version())
                .map(row -> Boolean.TRUE.equals(row.get("known", Boolean.class)))
                .one();
    }

    /** External id; empty: it is retracted already. */
    Mono<String> add(Subject subject, String reason, Caller.Person by, Instant now) {
        Version version = subject.of();
        return database.sql("""
                        insert into retraction (kind, name, version, machine_id, run_id, reason, retracted_by, retracted_at)
                        values (:kind, :name, :version, case when :kind = 'machine' then :key end,
                                case when :kind = 'run' then :key end, :reason, :account, :now)
                        on conflict do nothing
                        returning external_id
                        """)
                .bind("key", Parameter.fromOrEmpty(subject.key(), Long.class))
                .bind("kind", version.kind().wire())
                .bind("name", version.name())
                .bind("version", version.version())
                .bind("reason", reason)
                .bind("account", by.account().value())
                .bind("now", now.atOffset(ZoneOffset.UTC))
                .map(row -> text(row, "external_id"))
                .one();
    }

    /** What it was about; empty: there is none that stands. */
    Mono<Version> withdraw(String id, String why, Caller.Person by, Instant now) {
        return database.sql("""
                        update retraction set withdrawn_by = :account, withdrawn_at = :now, withdrawal = :why
                         where external_id = :id and withdrawn_at is null
                        returning kind, name, version
                        """)
                .bind("id", id)
                .bind("why", why)
                .bind("account", by.account().value())
                .bind("now", now.atOffset(ZoneOffset.UTC))
                .map(RetractionStore::version)
                .one();
    }

    Mono<Boolean> exists(String id) {
        return database.sql("select 1 as one from retraction where external_id = :id")
                .bind("id", id)
                .fetch()
                .first()
                .hasElement();
    }

    /** The newest first, those withdrawn among them. Plan: retraction_pk backwards. */
    Flux<Retraction> all(Caller caller, int most) {
        return VisibleSql.query(database, caller, """
                        select x.external_id, x.kind, x.name, x.version, x.reason, x.retracted_at, a.display_name as by,
                               x.withdrawn_at, w.display_name as withdrawn_by, x.withdrawal
                          from retraction x join account a on a.account_id = x.retracted_by
                          left join account w on w.account_id = x.withdrawn_by
                          left join machine m on m.machine_id = x.machine_id
                          left join run r on r.run_id = x.run_id
                         where (x.machine_id is null or visible(m)) and (x.run_id is null or visible(r))
                         order by x.retraction_id desc limit :most
                        """)
                .bind("most", most)
                .map(row -> Retraction.of(
                        text(row, "external_id"),
                        version(row),
                        text(row, "reason"),
                        instant(row, "retracted_at"),
                        text(row, "by"),
                        instantOrNull(row, "withdrawn_at"),
                        textOrNull(row, "withdrawn_by"),
                        textOrNull(row, "withdrawal")))
                .all();
    }

    /** Versions of the newest results, as far as they are not retracted. Plan: one pass over the entries. */
    Flux<Version> current(Caller caller) {
        return VisibleSql.query(database, caller, """
                        select v.kind, v.name, v.version
                          from (select 'server' as kind, server as name, server_digest as version, visibility, hidden, workspace_id
                                  from leaderboard_entry where server_digest <> 'unknown'
                                union
                                select 'workload', workload, """ + ScenarioSql.workloadVersion("scenario_key") + """
                                     , visibility, hidden, workspace_id
                                  from leaderboard_entry) v
                         where visible(v)
                           and not exists (select from retraction x where x.withdrawn_at is null
                                              and (x.kind, x.name, x.version) = (v.kind, v.name, v.version))
                         group by v.kind, v.name, v.version order by v.kind, v.name, v.version limit :most
                        """)
                .bind("most", MOST_VERSIONS)
                .map(RetractionStore::version)
                .all();
    }

    private static Version version(Readable row) {
        return new Version(WireName.of(Version.Kind.class, text(row, "kind")), text(row, "name"), text(row, "version"));
    }
}
