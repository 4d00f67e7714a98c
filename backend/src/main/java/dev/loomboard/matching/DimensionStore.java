package dev.loomboard.matching;

import static dev.loomboard.kernel.Rows.text;

import dev.loomboard.kernel.Caller;
import dev.loomboard.kernel.VisibleSql;
import dev.loomboard.verdict.ComparisonDimension;
import java.util.List;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;
import reactor.core.publisher.Mono;

/** What a caller may choose to compare. */
@Repository
class DimensionStore {

    /** Of series, which do not grow with nights. Plan: series_server_ix. */
    static final String SERVERS = """
            select server || '/' || variant as value, server || ' ' || variant as words
              from (select distinct server, variant from series where visible(series)
                     order by server, variant limit 500) s
            """;

    /** Plan: series_collector_ix. */
    static final String COLLECTORS = """
            select collector as value, collector as words
              from (select distinct collector from series where visible(series) and collector <> 'none'
                     order by collector limit 50) s
            """;

    /** Plan: series_limits_ix. */
    static final String LIMITS = """
            select limits as value, case limits when '' then 'no limits' else replace(limits, ',', ', ') end as words
              from (select distinct limits from series where visible(series)
                     order by limits limit 200) s
            """;

    /** Plan: machine_class_ix. */
    static final String MACHINES = """
            select class_hash as value, min(class_label) as words from machine
             where visible(machine) and class_hash is not null
             group by class_hash order by class_hash limit 200
            """;

    /** The newest, and those that were named. Plan: run_pk backwards, run_external_id_uq. */
    static final String RUNS = """
            select value, words from (
              (select external_id as value, title || ', ' || to_char(coalesce(finished_at, created_at) at time zone 'UTC', 'YYYY-MM-DD HH24:MI') as words, run_id
                 from run where visible(run)
                order by run_id desc limit 60)
              union
              (select external_id, title || ', ' || to_char(coalesce(finished_at, created_at) at time zone 'UTC', 'YYYY-MM-DD HH24:MI'), run_id
                 from run where external_id = any(:named::text[]) and visible(run))) x
             order by run_id desc
            """;

    private final DatabaseClient database;

    DimensionStore(DatabaseClient database) {
        this.database = database;
    }

    /** @param named sides that an address names: of runs there are too many to list them all */
    Mono<List<MultiComparison.Named>> choices(ComparisonDimension subject, List<String> named, Caller caller) {
        var query = VisibleSql.query(database, caller, sql(subject));
        return (subject == ComparisonDimension.RUN ? query.bind("named", named.toArray(String[]::new)) : query)
                .map(row -> new MultiComparison.Named(
                        subject == ComparisonDimension.LIMITS
                                ? ComparisonDimension.limits(text(row, "value"))
                                : text(row, "value"),
                        text(row, "words")))
                .all()
                .collectList();
    }

    private static String sql(ComparisonDimension subject) {
        return switch (subject) {
            case JDK -> throw new IllegalArgumentException("builds are listed by LeaderboardStore");
            case SERVER -> SERVERS;
            case COLLECTOR -> COLLECTORS;
            case LIMITS -> LIMITS;
            case MACHINE -> MACHINES;
            case RUN -> RUNS;
        };
    }
}
