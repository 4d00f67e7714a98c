package dev.loomboard.expansion;

import static dev.loomboard.kernel.Rows.json;

import dev.loomboard.kernel.MachineId;
import dev.loomboard.matrix.MatrixSpec;
import dev.loomboard.scenario.Load;
import java.util.Map;
import java.util.Objects;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;
import reactor.core.publisher.Mono;
import tools.jackson.databind.json.JsonMapper;

/** What a machine's trials took. */
@Repository
public class TrialSecondsStore {

    private static final int RUNS = 20;

    /**
     * Of the machine's last runs of a protocol, by the phases that the agent timed: when a trial's end arrived says nothing, because a
     * machine that was away sends it late. Plan: run_machine_created_ix, cell_ordinal_uq, trial_cell_ix.
     */
    static final String TAKEN = """
            select c.load, percentile_cont(0.5) within group (order by p.seconds) as seconds
              from (select run_id from run where machine_id = :machine and spec ->> 'protocol' = :protocol
                     order by created_at desc limit :runs) r
              join cell c on c.run_id = r.run_id
              join trial t on t.cell_id = c.cell_id and t.kind = 'scored' and t.state = 'done'
             cross join lateral (select sum(s.value::float8) as seconds
                                   from jsonb_each_text(t.end_facts -> 'phaseSeconds') s) p
             where p.seconds > 0
             group by c.load
            """;

    private final DatabaseClient database;
    private final JsonMapper json;

    TrialSecondsStore(DatabaseClient database, JsonMapper json) {
        this.database = database;
        this.json = json;
    }

    public Mono<TrialSeconds> of(MachineId machine, MatrixSpec spec) {
        return database.sql(TAKEN)
                .bind("machine", machine.value())
                .bind("protocol", spec.protocol())
                .bind("runs", RUNS)
                .map(row -> Map.entry(
                        json.readValue(json(row, "load"), Load.class),
                        Objects.requireNonNull(row.get("seconds", Double.class))))
                .all()
                .collectMap(Map.Entry::getKey, Map.Entry::getValue)
                .map(taken -> new TrialSeconds(spec, taken));
    }
}
