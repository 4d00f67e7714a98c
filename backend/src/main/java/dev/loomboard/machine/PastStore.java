package dev.loomboard.machine;

import static dev.loomboard.kernel.Rows.instant;
import static dev.loomboard.kernel.Rows.json;
import static dev.loomboard.kernel.Rows.text;
import static dev.loomboard.kernel.Rows.whole;

import dev.loomboard.kernel.Caller;
import dev.loomboard.kernel.MachineId;
import dev.loomboard.kernel.VisibleSql;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;
import reactor.core.publisher.Mono;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/** Reads what machines were. */
@Repository
class PastStore {

    private static final TypeReference<Map<String, Object>> FACTS = new TypeReference<>() {};
    private static final int STATES = 50;
    private static final int GONE = 50;
    private static final int WEEKS = 26;

    private final DatabaseClient database;
    private final JsonMapper json;

    PastStore(DatabaseClient database, JsonMapper json) {
        this.database = database;
        this.json = json;
    }

    /** The newest changes first. Plan: machine_host_since_ix. */
    Mono<List<HostChange>> changes(MachineId machine) {
        return database.sql("""
                        select since, fingerprint_hash, agent_version, facts from machine_host
                         where machine_id = :machine order by since desc, machine_host_id desc limit :most
                        """)
                .bind("machine", machine.value())
                .bind("most", STATES)
                .map(row -> new HostChange.State(
                        instant(row, "since"),
                        text(row, "fingerprint_hash"),
                        text(row, "agent_version"),
                        json.readValue(json(row, "facts"), FACTS)))
                .all()
                .collectList()
                .map(HostChange::between);
    }

    /** Plan: machine_jdk_pk. */
    Mono<List<MachineView.GoneJdk>> gone(MachineId machine) {
        return database.sql("""
                        select b.slug, b.feature, j.seen_at from machine_jdk j join jdk_build b using (jdk_build_id)
                         where j.machine_id = :machine and not j.present order by j.seen_at desc, b.slug limit :most
                        """)
                .bind("machine", machine.value())
                .bind("most", GONE)
                .map(row -> new MachineView.GoneJdk(text(row, "slug"), whole(row, "feature"), instant(row, "seen_at")))
                .all()
                .collectList();
    }

    /** Of control cells, the last half year. Plan: series_machine_ix, point_series_measured_ix, the runs' key. */
    Mono<List<NoiseChart.Week>> weeks(Caller caller, MachineId machine) {
        return VisibleSql.query(database, caller, """
                        select date_trunc('week', p.measured_at at time zone 'UTC')::date as week, s.metric,
                               percentile_cont(0.5) within group (order by v.spread) as spread, count(*)::int as cells
                          from series s
                          join point p on p.series_id = s.series_id and p.measured_at > now() - make_interval(weeks => :weeks)
                          join run r on r.run_id = p.run_id and r.control_build_id = p.jdk_build_id
                         cross join lateral (select stddev_samp(t) / nullif(avg(t), 0) as spread from unnest(p.trial_values) t) v
                         where s.machine_id = :machine and s.metric = any(:metrics) and visible(r) and v.spread is not null
                         group by 1, 2 order by 1, 2
                        """)
                .bind("machine", machine.value())
                .bind("weeks", WEEKS)
                .bind("metrics", NoiseChart.METRICS.toArray(String[]::new))
                .map(row -> new NoiseChart.Week(
                        Objects.requireNonNull(row.get("week", LocalDate.class)),
                        text(row, "metric"),
                        Objects.requireNonNull(row.get("spread", Double.class)),
                        whole(row, "cells")))
                .all()
                .collectList();
    }
}
