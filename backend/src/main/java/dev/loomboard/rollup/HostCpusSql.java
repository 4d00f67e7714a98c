package dev.loomboard.rollup;

/** The part of a query by which a trial says how many logical CPUs its machine has, as the agent said it. */
public final class HostCpusSql {

    private HostCpusSql() {}

    /**
     * Joins {@code host.cpus}: those that the machine had when its host was as the trial says, else has now; null: its agent
     * does not say. Plan: machine_pk, machine_host_since_ix.
     *
     * @param trial alias of a row with {@code fingerprint_hash}
     * @param run alias of one with {@code machine_id}
     */
    public static String join(String trial, String run) {
        return """
                 cross join lateral (
                       select coalesce(case when jsonb_typeof(f.facts #> '{cpu,threads}') = 'number' then f.facts #>> '{cpu,threads}' end,
                                       case when jsonb_typeof(f.facts #> '{cpu,cores}') = 'number' then f.facts #>> '{cpu,cores}' end)
                              ::numeric as cpus
                         from (select coalesce((select h.facts from machine_host h
                                                 where h.machine_id = %2$s.machine_id and h.fingerprint_hash = %1$s.fingerprint_hash
                                                 order by h.since desc limit 1), m.fingerprint) as facts
                                 from machine m where m.machine_id = %2$s.machine_id) f) host
                """.formatted(trial, run);
    }
}
