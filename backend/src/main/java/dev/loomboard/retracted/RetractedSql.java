package dev.loomboard.retracted;

import dev.loomboard.scenario.ScenarioSql;
import io.r2dbc.spi.Readable;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * The part of a query by which a result says that it is retracted. It is looked up and not stored with results: there are
 * few retractions, and each holds for whatever was and will be measured.
 */
public final class RetractedSql {

    /** Held by a roll-up until its transaction ends: it sees all retractions, or the next retraction sees its result. */
    public static final String SHARED_LOCK = "select pg_advisory_xact_lock_shared(hashtextextended('retractions', 0))";

    /** Held while a retraction is made or withdrawn. */
    public static final String LOCK = "select pg_advisory_xact_lock(hashtextextended('retractions', 0))";

    /** Plan: the four unique indexes of what stands, or a scan of what fits on a page. */
    private static final String STANDING = """
             from retraction x join account a on a.account_id = x.retracted_by
            where x.withdrawn_at is null
              and (x.kind = 'server' and x.name = %s and x.version in (%s)
                   or x.kind = 'workload' and x.name = %s and x.version = %s
                   or x.machine_id = %s
                   or x.run_id in (%s))
            """;

    private RetractedSql() {}

    /**
     * Expressions that say what a result is of.
     *
     * @param server column of the server's name
     * @param digest of its digest, or several, or a query of them
     * @param workload of the workload's name
     * @param scenarioKey of the scenario's key, which has the workload's version
     * @param machine of the machine's internal key
     * @param run of the run's, or several, or a query of them
     */
    public record Result(
            String server, String digest, String workload, String scenarioKey, String machine, String run) {}

    /** A join that gives {@code ret.retracted}, null where nothing is. */
    public static String join(Result of) {
        return """
                 left join lateral (select json_build_object('id', x.external_id, 'kind', x.kind, 'name', x.name,
                                                  'version', x.version, 'reason', x.reason, 'at', x.retracted_at,
                                                  'by', a.display_name)::text as retracted
                """
                + STANDING.formatted(
                        of.server,
                        of.digest,
                        of.workload,
                        ScenarioSql.workloadVersion(of.scenarioKey),
                        of.machine,
                        of.run)
                + " order by x.retraction_id limit 1) ret on true ";
    }

    /** A condition that holds where nothing is retracted; all retractions are read once for all rows. */
    public static String none(Result of) {
        return """
                 ((%s, %s) in (select x.name, x.version from retraction x where x.withdrawn_at is null and x.kind = 'server')
                  or (%s, %s)
                     in (select x.name, x.version from retraction x where x.withdrawn_at is null and x.kind = 'workload')
                  or %s in (select x.machine_id from retraction x where x.withdrawn_at is null and x.kind = 'machine')
                  or %s) is not true
                """.formatted(
                        of.server,
                        of.digest,
                        of.workload,
                        ScenarioSql.workloadVersion(of.scenarioKey),
                        of.machine,
                        run(of.run));
    }

    /**
     * A condition that holds where the run itself is retracted. A version's points are segments of their own, a run's lie
     * among others: what looks along a history leaves it out.
     *
     * @param run column of the run's internal key
     */
    public static String run(String run) {
        return run + " in (select x.run_id from retraction x where x.withdrawn_at is null and x.kind = 'run')";
    }

    /** Of a row with the column {@code retracted}; null: it is not. */
    public static @Nullable Retracted read(Readable row) {
        String retracted = row.get("retracted", String.class);
        return retracted == null ? null : JsonMapper.shared().readValue(retracted, Retracted.class);
    }
}
