package dev.loomboard.kit;

import java.time.ZoneOffset;
import java.util.Map;

/**
 * A history of sixty nights on two builds, the first of which is slower from the second build on and was confirmed, with a
 * cleared suspect before it, a host that changed, and a note.
 */
final class HistoryRows {

    static final String SCENARIO = "io@1?delayMs=100;constant:rate=250,seconds=12";
    private static final int NIGHTS = 60;
    private static final int STEP = 26;
    /** From then on the host is another. */
    private static final int MOVED = 16;

    private final Results results;
    private final Results.Run run;

    HistoryRows(Results results, Results.Run run) {
        this.results = results;
        this.run = run;
    }

    /** @param trial whose external id all points lead to; the series' external id */
    String put(String trial) {
        String id = Results.id("ser");
        long series = results.insert("""
                insert into series (external_id, workspace_id, visibility, series_key, family_key, machine_id, server, variant, concurrency_model, workload, scenario_key, collector, protocol, metric, track_feature, track_vendor, track_arch)
                select :id, workspace_id, 'public', 'sixty nights|28', 'sixty nights', :machine, 'spring-mvc', 'virtual', 'virtual-threads', 'io', :scenario, 'G1', 'quick/1', 'response_excess_p50_ms', 28, 'debian', 'amd64'
                  from workspace where slug = 'main' returning series_id
                """, Map.of("id", id, "machine", results.machine(), "scenario", SCENARIO));
        long slower = 0;
        long cleared = 0;
        for (int night = 0; night < NIGHTS; night++) {
            long point = night(series, night, trial);
            slower = night == STEP ? point : slower;
            cleared = night == STEP / 2 ? point : cleared;
        }
        change(series, slower, Results.JDK_28_18, Results.JDK_28_17, "confirmed");
        change(series, cleared, Results.JDK_28_17, Results.JDK_28_17, "cleared");
        beside(series);
        return id;
    }

    private long night(long series, int night, String trial) {
        String jdk = night < STEP ? Results.JDK_28_17 : Results.JDK_28_18;
        double mean = (night < STEP ? 1.2 : 1.31) + (night * 7 % 5 - 2) * 0.006;
        long cell = results.insert(
                """
                insert into cell (external_id, workspace_id, run_id, ordinal, server, variant, concurrency_model, workload, workload_version, params, declared_delay_ms, load, scenario_key, collector, jvm_options, jdk_build_id)
                select :id, workspace_id, :run, :ordinal, 'spring-mvc', 'virtual', 'virtual-threads', 'io', 1, '{}', 100, '{"profile":"constant","rate":250,"seconds":12}', :scenario, 'G1', '{}', :jdk
                  from workspace where slug = 'main' returning cell_id
                """,
                Results.bind(
                        "id",
                        Results.id("cel"),
                        "run",
                        run.key(),
                        "ordinal",
                        night,
                        "scenario",
                        SCENARIO,
                        "jdk",
                        results.build(jdk)));
        return results.insert(
                """
                insert into point (workspace_id, series_id, run_id, cell_id, jdk_build_id, measured_at, trials, mean, low, high, trial_values, trial_ids, eligible, standing, reason, server_digest, fingerprint_hash, agent_version)
                select workspace_id, :series, :run, :cell, :jdk, :at, 5, :mean, :mean * 0.99, :mean * 1.01,
                       (select array_agg(:mean::float8 * (1 + 0.004 * (i - 3))) from generate_series(1, 5) i),
                       (select array_agg(trial_id) from trial where external_id = :trial), true, 'provisional', '5 of 10 trials',
                       'digest-1', case when :night < :moved then 'fingerprint-0' else 'fingerprint-1' end, '0.1.0'
                  from workspace where slug = 'main' returning point_id
                """,
                Results.bind(
                        "series",
                        series,
                        "run",
                        run.key(),
                        "cell",
                        cell,
                        "jdk",
                        results.build(jdk),
                        "mean",
                        mean,
                        "trial",
                        trial,
                        "night",
                        night,
                        "moved",
                        MOVED,
                        "at",
                        Results.START.plusSeconds(86_400L * (night - NIGHTS)).atOffset(ZoneOffset.UTC)));
    }

    private void change(long series, long point, String build, String good, String status) {
        boolean confirmed = status.equals("confirmed");
        results.insert(
                """
                insert into change_point (workspace_id, series_id, jdk_build_id, good_build_id, point_id, q_hat, p, before, after, direction, standing, status, confirmed_by, history_change, history_p, history_reason, history_at, methodology, decided_at)
                select workspace_id, :series, :build, :good, :point, 0.2, 1e-12, 1.2, case when :confirmed then 1.31 else 1.19 end,
                       case when :confirmed then 'worse' else 'better' end, :confirmed, :status, case when :confirmed then 'history' end,
                       case when :confirmed then 0.0915 else -0.008 end, case when :confirmed then 1e-9 else 0.03 end,
                       case when not :confirmed then 'the change is smaller than matters; p is 0.03, at most 1e-04 is needed' end, now(), '1', now()
                  from workspace where slug = 'main' returning change_point_id
                """,
                Results.bind(
                        "series",
                        series,
                        "build",
                        results.build(build),
                        "good",
                        results.build(good),
                        "point",
                        point,
                        "confirmed",
                        confirmed,
                        "status",
                        status));
    }

    private void beside(long series) {
        for (int host = 0; host < 2; host++) {
            results.insert(
                    """
                    insert into machine_host (workspace_id, machine_id, since, fingerprint_hash, agent_version, facts)
                    select workspace_id, :machine, :at, 'fingerprint-' || :host, '0.1.0',
                           jsonb_build_object('kernel', jsonb_build_object('release', '6.12.' || :host), 'cpu', jsonb_build_object('governor', null),
                                              'shown', jsonb_build_object('microcode', '0x5003901'))
                      from workspace where slug = 'main' returning machine_host_id
                    """,
                    Results.bind(
                            "machine",
                            results.machine(),
                            "host",
                            "" + host,
                            "at",
                            Results.START
                                    .plusSeconds(86_400L * (host * MOVED - NIGHTS) - 3600)
                                    .atOffset(ZoneOffset.UTC)));
        }
        results.insert("""
                with writer as (
                  insert into account (external_id, email, display_name, password_hash)
                  values (new_external_id('acc'), 'noted@example.org', 'Noor', 'x') returning account_id
                )
                insert into annotation (external_id, workspace_id, series_id, jdk_build_id, day, note, created_by)
                select new_external_id('ann'), w.workspace_id, :series, :build, date '2026-11-06', 'Virtual threads pin less here: the change was announced.', account_id
                  from workspace w, writer where w.slug = 'main' returning annotation_id
                """, Results.bind("series", series, "build", results.build(Results.JDK_28_18)));
    }
}
