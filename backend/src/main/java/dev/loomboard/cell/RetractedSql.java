package dev.loomboard.cell;

import io.r2dbc.spi.Readable;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * The part of a query by which a result says that it is retracted. It is looked up and not stored with results: there are
 * few retractions, and each holds for whatever was and will be measured.
 */
public final class RetractedSql {

    /** Held by whoever rolls up, until the transaction ends: what it makes sees all retractions, or is seen by the next. */
    public static final String SHARED_LOCK = "select pg_advisory_xact_lock_shared(hashtextextended('retractions', 0))";

    /** Held by whoever retracts or withdraws. */
    public static final String LOCK = "select pg_advisory_xact_lock(hashtextextended('retractions', 0))";

    /** Plan: retraction_standing_uq, or a scan of what fits on a page. */
    private static final String STANDING = """
             from retraction x join account a on a.account_id = x.retracted_by
            where x.withdrawn_at is null
              and (x.kind = 'server' and x.name = %s and x.version in (%s)
                   or x.kind = 'workload' and x.name = %s and x.version = %s)
            """;

    private RetractedSql() {}

    /**
     * A join that gives {@code ret.retracted}, null where nothing is.
     *
     * @param server column of the server's name; @param digest of its digest, or several, or a query of them
     * @param workload of the workload's name; @param scenarioKey of the scenario's key, which has the workload's version
     */
    public static String join(String server, String digest, String workload, String scenarioKey) {
        return """
                 left join lateral (select json_build_object('id', x.external_id, 'kind', x.kind, 'name', x.name,
                                                  'version', x.version, 'reason', x.reason, 'at', x.retracted_at,
                                                  'by', a.display_name)::text as retracted
                """ + STANDING.formatted(server, digest, workload, ScenarioSql.workloadVersion(scenarioKey))
                + " order by x.retraction_id limit 1) ret on true ";
    }

    /** A condition that holds where nothing is retracted; all retractions are read once for all rows. */
    public static String none(String server, String digest, String workload, String scenarioKey) {
        return """
                 ((%s, %s) in (select x.name, x.version from retraction x where x.withdrawn_at is null and x.kind = 'server')
                  or (%s, %s)
                     in (select x.name, x.version from retraction x where x.withdrawn_at is null and x.kind = 'workload'))
                 is not true
                """.formatted(server, digest, workload, ScenarioSql.workloadVersion(scenarioKey));
    }

    /** Of a row with the column {@code retracted}; null: it is not. */
    public static @Nullable Retracted read(Readable row) {
        String retracted = row.get("retracted", String.class);
        return retracted == null ? null : JsonMapper.shared().readValue(retracted, Retracted.class);
    }
}
