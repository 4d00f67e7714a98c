package dev.loomboard.forecast;

import static dev.loomboard.kernel.Rows.text;

import dev.loomboard.cell.CellSql;
import dev.loomboard.kernel.MachineId;
import io.r2dbc.spi.Readable;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;
import reactor.core.publisher.Mono;

/** How much launches varied on a machine. */
@Repository
class SeriesSpreadStore {

    private static final int RUNS = 20;

    /**
     * Of the machine's last runs of a protocol, what its trials varied by within their cells. Plan: run_machine_created_ix,
     * cell_ordinal_uq, trial_cell_ix, trial_metric_pk.
     */
    private static final String SPREADS = """
            select c.server, c.variant, c.scenario_key, c.collector, c.jvm_options, c.limits, :protocol::text as protocol, v.metric,
                   exp(avg(v.level)) as level,
                   sqrt(sum((v.trials - 1) * coalesce(v.variance, 0)) / sum(v.trials - 1)) as spread
              from (select run_id from run where machine_id = :machine and spec ->> 'protocol' = :protocol
                     order by created_at desc limit :runs) r
              join cell c on c.run_id = r.run_id
             cross join lateral (
               select x.metric, count(*) as trials, avg(ln(x.value)) as level, var_samp(ln(x.value)) as variance
                 from trial t join trial_metric x on x.trial_id = t.trial_id
                where t.cell_id = c.cell_id and t.kind = 'scored' and t.state = 'done' and not t.late and not t.cut_off
                      and t.validity is distinct from 'invalid'
                      and x.metric = any(:metrics) and x.eligible and x.value > 0
                group by x.metric) v
             group by c.server, c.variant, c.scenario_key, c.collector, c.jvm_options, c.limits, v.metric
            having sum(v.trials - 1) >= :freedom
            """;

    private final DatabaseClient database;

    SeriesSpreadStore(DatabaseClient database) {
        this.database = database;
    }

    /** Of series that have enough trials; of what is positive alone. */
    Mono<Map<SeriesSpread.Key, SeriesSpread>> of(MachineId machine, String protocol, List<String> metrics) {
        return database.sql(SPREADS)
                .bind("machine", machine.value())
                .bind("protocol", protocol)
                .bind("runs", RUNS)
                .bind("metrics", metrics.toArray(String[]::new))
                .bind("freedom", SeriesSpread.LEAST_FREEDOM)
                .map(row -> Map.entry(
                        key(row),
                        new SeriesSpread(
                                Objects.requireNonNull(row.get("level", Double.class)),
                                Objects.requireNonNull(row.get("spread", Double.class)))))
                .all()
                .collectMap(Map.Entry::getKey, Map.Entry::getValue);
    }

    private static SeriesSpread.Key key(Readable row) {
        return new SeriesSpread.Key(
                text(row, "server"),
                text(row, "variant"),
                text(row, "scenario_key"),
                CellSql.settings(row),
                text(row, "metric"));
    }
}
