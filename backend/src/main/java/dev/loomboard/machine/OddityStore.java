package dev.loomboard.machine;

import static dev.loomboard.kernel.Rows.text;
import static dev.loomboard.kernel.Rows.whole;

import dev.loomboard.catalog.Metrics;
import dev.loomboard.kernel.Caller;
import dev.loomboard.kernel.MachineId;
import dev.loomboard.kernel.VisibleSql;
import dev.loomboard.view.Format;
import dev.loomboard.view.ScenarioText;
import io.r2dbc.spi.Readable;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Reads what is odd of a machine's newest results. */
@Repository
class OddityStore {

    /** Between two trials of a run the agent's clock moved against ours. */
    private static final double CLOCK_SECONDS = 5;
    /** Trials of which one value to the last bit is no chance. */
    private static final int LEAST_SAME = 3;
    /** Two machines of a class whose intervals lie apart, and whose means differ by more than this factor. */
    private static final double DISAGREE = 1.25;
    /** Of each kind. */
    private static final int MOST = 20;

    /** Means over thousands of hits: they do not repeat themselves. */
    private static final String[] NEVER_THE_SAME = {"response_mean_ms", "cpu_us_per_request"};

    /** Plan: run_machine_created_ix, trial_run_ix. */
    static final String CLOCKS = """
            select r.external_id as run, (max(t.skew_ns) - min(t.skew_ns)) / 1e9::float8 as seconds
              from (select * from run where machine_id = :machine and visible(run) order by created_at desc limit 50) r
              join trial t on t.run_id = r.run_id and t.skew_ns is not null
             group by r.run_id, r.external_id, r.created_at
            having max(t.skew_ns) - min(t.skew_ns) > :seconds * 1e9::float8
             order by r.created_at desc limit :most
            """;

    /** Plan: series_machine_ix, point_series_measured_ix. */
    static final String SAME = """
            select r.external_id as run, s.metric, s.server, s.variant, s.scenario_key, cardinality(p.trial_values) as trials,
                   p.trial_values[1] as value
              from series s
             cross join lateral (select * from point p where p.series_id = s.series_id order by p.measured_at desc limit 20) p
              join run r on r.run_id = p.run_id
             where s.machine_id = :machine and s.metric = any(:metrics) and visible(r)
               and cardinality(p.trial_values) >= :least and p.trial_values[1] = all(p.trial_values)
             order by p.measured_at desc limit :most
            """;

    /** Plan: leaderboard_entry_machine_ix, leaderboard_entry_scenario_ix. */
    static final String DISAGREEING = """
            select r.external_id as run, m.name as other, e.headline as metric, e.server, e.variant, e.scenario_key,
                   e.mean / o.mean as ratio
              from (select x.*, (x.metrics #>> array[x.headline, 'mean'])::float8 as mean,
                           (x.metrics #>> array[x.headline, 'low'])::float8 as low,
                           (x.metrics #>> array[x.headline, 'high'])::float8 as high
                      from leaderboard_entry x where x.machine_id = :machine and visible(x)) e
              join (select x.*, (x.metrics #>> array[x.headline, 'mean'])::float8 as mean,
                           (x.metrics #>> array[x.headline, 'low'])::float8 as low,
                           (x.metrics #>> array[x.headline, 'high'])::float8 as high
                      from leaderboard_entry x where visible(x)) o
                on (o.scenario_key, o.class_hash, o.server, o.variant, o.server_digest, o.collector, o.protocol, o.jdk_build_id,
                    o.headline)
                 = (e.scenario_key, e.class_hash, e.server, e.variant, e.server_digest, e.collector, e.protocol, e.jdk_build_id,
                    e.headline)
               and o.jvm_options = e.jvm_options and o.limits = e.limits and o.machine_id <> e.machine_id
              join machine m on m.machine_id = o.machine_id
              join run r on r.run_id = e.run_id
             where e.mean > 0 and o.mean > 0 and greatest(e.mean / o.mean, o.mean / e.mean) > :disagree
               and (e.low > o.high or o.low > e.high)
             order by greatest(e.mean / o.mean, o.mean / e.mean) desc, e.leaderboard_entry_id limit :most
            """;

    private final DatabaseClient database;

    OddityStore(DatabaseClient database) {
        this.database = database;
    }

    /** As far as the caller may see the results. Three queries. */
    Mono<List<Oddity>> of(Caller caller, MachineId machine) {
        Flux<Oddity> clocks = query(caller, machine, CLOCKS)
                .bind("seconds", CLOCK_SECONDS)
                .map(row -> new Oddity(
                        "Its clock moved by "
                                + Format.duration(Duration.ofMillis(Math.round(1000 * number(row, "seconds"))))
                                + " relative to the clock of the service between two trials",
                        text(row, "run")))
                .all();
        Flux<Oddity> same = query(caller, machine, SAME)
                .bind("metrics", NEVER_THE_SAME)
                .bind("least", LEAST_SAME)
                .map(row -> new Oddity(
                        "All " + whole(row, "trials") + " trials have the same " + title(row) + ", "
                                + Format.three(number(row, "value")) + " "
                                + Metrics.all().get(text(row, "metric")).unit() + ": " + cell(row),
                        text(row, "run")))
                .all();
        Flux<Oddity> disagreeing = query(caller, machine, DISAGREEING)
                .bind("disagree", DISAGREE)
                .map(row -> new Oddity(
                        "Its " + title(row) + " differs by " + Format.change(number(row, "ratio"))
                                + " from that of another machine of its class, " + text(row, "other") + ": "
                                + cell(row),
                        text(row, "run")))
                .all();
        return Flux.concat(clocks, same, disagreeing).collectList();
    }

    private DatabaseClient.GenericExecuteSpec query(Caller caller, MachineId machine, String sql) {
        return VisibleSql.query(database, caller, sql)
                .bind("machine", machine.value())
                .bind("most", MOST);
    }

    private static String title(Readable row) {
        return Metrics.all().get(text(row, "metric")).title();
    }

    private static String cell(Readable row) {
        return text(row, "server") + " " + text(row, "variant") + ", "
                + ScenarioText.of(text(row, "scenario_key")).words();
    }

    private static double number(Readable row, String column) {
        return Objects.requireNonNull(row.get(column, Double.class), column);
    }
}
