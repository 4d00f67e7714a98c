package dev.loomboard.kit;

import java.time.Instant;
import java.time.ZoneOffset;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.StringJoiner;

/** A measured cell: its trials, its points and its place on the leaderboard. */
final class CellRows {

    private final Results results;
    private final Results.Run run;
    private final Results.Variant variant;
    private final String scenario;
    private final String jdk;
    private final int trials;
    private final Instant at;

    CellRows(
            Results results,
            Results.Run run,
            Results.Variant variant,
            String scenario,
            String jdk,
            int trials,
            Instant at) {
        this.results = results;
        this.run = run;
        this.variant = variant;
        this.scenario = scenario;
        this.jdk = jdk;
        this.trials = trials;
        this.at = at;
    }

    Results.Trials put(int ordinal) {
        String workload = scenario.substring(0, scenario.indexOf('@'));
        boolean io = workload.equals("io");
        boolean closed = scenario.equals(Results.CLOSED);
        double drift = jdk.equals(Results.JDK_25) ? 1 : jdk.equals(Results.JDK_28_17) ? 1.004 : 1.06;
        double p50 = (io ? variant.p50() : variant.p50() / 20) * drift;
        double p99 = (io ? variant.p99() : variant.p99() / 19) * drift;
        long cell = results.insert(
                """
                insert into cell (external_id, workspace_id, run_id, ordinal, server, variant, concurrency_model, workload, workload_version, params, declared_delay_ms, load, scenario_key, collector, jvm_options, framework, jdk_build_id)
                select :id, workspace_id, :run, :ordinal, :server, :variant, :model, :workload, 1, '{}', :delay, :load::jsonb, :scenario, 'G1', '{}', 'Spring Boot 4.1.0', :jdk
                  from workspace where slug = 'main' returning cell_id
                """,
                Results.bind(
                        "id",
                        Results.id("cel"),
                        "run",
                        run.key(),
                        "ordinal",
                        ordinal,
                        "server",
                        variant.server(),
                        "variant",
                        variant.name(),
                        "model",
                        variant.model(),
                        "workload",
                        workload,
                        "delay",
                        io ? 100.0 : 0.0,
                        "scenario",
                        scenario,
                        "load",
                        closed
                                ? "{\"profile\":\"closed\",\"connections\":50,\"seconds\":12}"
                                : "{\"profile\":\"constant\",\"rate\":300,\"seconds\":12}",
                        "jdk",
                        results.build(jdk)));
        TrialRows rows = new TrialRows(results, run.key(), cell, ordinal, at, p50, p99, jdk);
        String scored = rows.put("scored", 1, ordinal * 2);
        String diagnostic = rows.put("diagnostic", 1, ordinal * 2 + 1);
        if (closed) {
            new ClosedRows(results).put(scored);
            new ClosedRows(results).put(diagnostic);
        }
        double rate = closed ? 50_000 / p50 : io ? 300 : 60;
        boolean search = scenario.equals(Results.SEARCH);
        Metrics metrics = new Metrics(search, p50, p99, variant.rss() * drift, rate, closed);
        String series = "";
        StringJoiner entry = new StringJoiner(",", "{", "}");
        for (Map.Entry<String, double[]> metric : metrics.values().entrySet()) {
            String id = series(workload, metric.getKey());
            series = series.isEmpty() ? id : series;
            double[] v = metric.getValue();
            boolean eligible = trials > 1 || !metric.getKey().contains("p99");
            point(cell, id, v, eligible);
            rows.metric(scored, metric.getKey(), v[0], eligible);
            entry.add(String.format(
                    Locale.ROOT,
                    "\"%s\":{\"mean\":%s,\"low\":%s,\"high\":%s,\"eligible\":%s,\"reason\":%s,\"series\":\"%s\"}",
                    metric.getKey(),
                    v[0],
                    trials > 1 ? v[1] : "null",
                    trials > 1 ? v[2] : "null",
                    eligible,
                    eligible ? "null" : "\"" + Metrics.WHY + "\"",
                    id));
        }
        entry.add("\"contended_per_1k_requests\":{\"mean\":" + (variant.model().equals("event-loop") ? 0 : 3.2)
                + ",\"low\":null,\"high\":null,\"eligible\":true,\"reason\":null,\"series\":null}");
        leaderboard(cell, workload, entry.toString());
        return new Results.Trials(scored, diagnostic, series);
    }

    private String series(String workload, String metric) {
        int feature = jdk.contains("-28-") ? 28 : 25;
        String vendor = jdk.substring(0, jdk.indexOf('-'));
        String family = "s1|" + results.machine() + "|" + variant.server() + "|" + variant.name() + "|" + scenario
                + "|G1||" + run.visibility() + "|quick/1|" + metric;
        return Objects.requireNonNull(results.database()
                .sql("""
                        insert into series (external_id, workspace_id, visibility, series_key, family_key, machine_id, server, variant, concurrency_model, workload, scenario_key, collector, protocol, metric, track_feature, track_vendor, track_arch)
                        select :id, workspace_id, :visibility, :key, :family, :machine, :server, :variant, :model, :workload, :scenario, 'G1', 'quick/1', :metric, :feature, :vendor, 'amd64'
                          from workspace where slug = 'main'
                        on conflict on constraint series_key_uq do update set visibility = excluded.visibility returning external_id
                        """)
                .bindValues(Results.bind(
                        "id",
                        Results.id("ser"),
                        "visibility",
                        run.visibility(),
                        "key",
                        family + "|" + feature + vendor,
                        "family",
                        family,
                        "machine",
                        results.machine(),
                        "server",
                        variant.server(),
                        "variant",
                        variant.name(),
                        "model",
                        variant.model(),
                        "workload",
                        workload,
                        "scenario",
                        scenario,
                        "metric",
                        metric,
                        "feature",
                        feature,
                        "vendor",
                        vendor))
                .map(row -> Objects.requireNonNull(row.get(0, String.class)))
                .one()
                .block(Results.TIMEOUT));
    }

    private void point(long cell, String series, double[] v, boolean eligible) {
        results.insert(
                """
                insert into point (workspace_id, series_id, run_id, cell_id, jdk_build_id, measured_at, trials, mean, low, high, trial_values, trial_ids, eligible, standing, reason, server_digest, fingerprint_hash, agent_version)
                select s.workspace_id, s.series_id, :run, :cell, :jdk, :at, :trials, :mean, case when :trials > 1 then :low end, case when :trials > 1 then :high end,
                       (select array_agg(:mean::float8 * (1 + 0.004 * (i % 3 - 1))) from generate_series(1, :trials::int) i), (select array_agg(trial_id) from trial where cell_id = :cell and kind = 'scored'), :eligible,
                       case when :trials >= 10 then 'ranked' else 'provisional' end, case when :trials < 10 then '1 of 10 trials' end, 'digest-1', 'fingerprint-1', '0.1.0'
                  from series s where s.external_id = :series returning point_id
                """,
                Results.bind(
                        "run",
                        run.key(),
                        "cell",
                        cell,
                        "jdk",
                        results.build(jdk),
                        "at",
                        at.atOffset(ZoneOffset.UTC),
                        "trials",
                        trials,
                        "mean",
                        v[0],
                        "low",
                        v[1],
                        "high",
                        v[2],
                        "eligible",
                        eligible,
                        "series",
                        series));
    }

    private void leaderboard(long cell, String workload, String metrics) {
        boolean spoilt = trials == 1 && variant.name().equals("platform-unlimited") && jdk.equals(Results.JDK_28_18);
        results.insert(
                """
                insert into leaderboard_entry (workspace_id, visibility, scenario_key, workload, class_hash, class_label, machine_id, server, variant, framework, concurrency_model, collector, protocol, jdk_build_id, run_id, cell_id, trials, metrics, headline, standing, reasons, measured_at)
                select workspace_id, :visibility, :scenario, :workload, 'c', '2 cores, 24 GiB, load on the same host', :machine, :server, :variant, 'Spring Boot 4.1.0', :model, 'G1', 'quick/1', :jdk, :run, :cell, :trials, :metrics::jsonb, nullif(:headline, ''), :standing, array_remove(string_to_array(:reason, '; '), ''), :at
                  from workspace where slug = 'main' returning leaderboard_entry_id
                """,
                Results.bind(
                        "visibility",
                        run.visibility(),
                        "scenario",
                        scenario,
                        "workload",
                        workload,
                        "machine",
                        results.machine(),
                        "server",
                        variant.server(),
                        "variant",
                        variant.name(),
                        "model",
                        variant.model(),
                        "jdk",
                        results.build(jdk),
                        "run",
                        run.key(),
                        "cell",
                        cell,
                        "trials",
                        trials,
                        "metrics",
                        metrics,
                        "headline",
                        headline(),
                        "standing",
                        spoilt ? "unranked" : trials >= 10 ? "ranked" : trials >= 5 ? "provisional" : "few",
                        "reason",
                        spoilt
                                ? "The load generator was not valid: lag p99 14 ms"
                                : trials >= 10 ? "" : "1 of 10 trials; load and server share their cores",
                        "at",
                        at.atOffset(ZoneOffset.UTC)));
    }

    private String headline() {
        if (scenario.equals(Results.CLOSED)) {
            return "throughput_per_s";
        }
        return scenario.equals(Results.SEARCH)
                ? "max_rate_per_s"
                : scenario.equals(Results.MATMUL) ? "response_p99_ms" : "response_p50_ms";
    }

    /** A cell in numbers: mean, low, high per metric. */
    private record Metrics(boolean search, double p50, double p99, double rss, double rate, boolean closed) {
        static final String WHY = "36 hits lie beyond this percentile, 100 are needed";

        Map<String, double[]> values() {
            Map<String, double[]> values = new LinkedHashMap<>();
            String time = closed ? "service" : "response";
            values.put(time + "_p50_ms", spread(p50, 0.004));
            values.put(time + "_p99_ms", spread(p99, 0.012));
            if (!closed) {
                values.put("response_excess_p50_ms", spread(p50 > 100 ? p50 - 100 : p50, 0.02));
            }
            if (search) {
                values.put("max_rate_per_s", spread(2_400, 0.02));
            }
            values.put("cpu_us_per_request", spread(rss / 2.4, 0.01));
            values.put("rss_mib", spread(rss, 0.008));
            values.put(time + "_p999_ms", spread(p99 * 1.2, 0.03));
            values.put("throughput_per_s", spread(rate, 0.0005));
            values.put("throughput_per_core", spread(2.4e6 / rss, 0.01));
            values.put("throughput_per_gib", spread(rate * 1024 / rss, 0.008));
            values.put("startup_ms", spread(rss * 6, 0.01));
            values.put("error_ratio", new double[] {0, 0, 0});
            return values;
        }

        private static double[] spread(double mean, double share) {
            return new double[] {mean, mean * (1 - share), mean * (1 + share)};
        }
    }
}
