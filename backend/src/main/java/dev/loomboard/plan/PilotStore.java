package dev.loomboard.plan;

import static dev.loomboard.kernel.Rows.flag;

import dev.loomboard.verdict.Pilot;
import io.r2dbc.postgresql.codec.Json;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;
import reactor.core.publisher.Mono;
import tools.jackson.databind.json.JsonMapper;

/** What the first blocks of runs gave to their cells. Called under the run's lock, as {@link dev.loomboard.run.RunStore}. */
@Repository
public class PilotStore {

    private final DatabaseClient database;
    private final JsonMapper json;

    PilotStore(DatabaseClient database, JsonMapper json) {
        this.database = database;
        this.json = json;
    }

    public Mono<Boolean> isThere(long run) {
        return database.sql("select pilot is not null as there from run where run_id = :run")
                .bind("run", run)
                .map(row -> flag(row, "there"))
                .one();
    }

    public Mono<Void> put(long run, Pilot pilot) {
        return database.sql("""
                        with looked as (update run set pilot = :pilot where run_id = :run returning run_id)
                        update cell c set scored = g.value::int
                          from looked, jsonb_each_text(:pilot -> 'cells') g
                         where c.run_id = looked.run_id and c.cell_id = g.key::bigint
                        """)
                .bind("run", run)
                .bind("pilot", Json.of(json.writeValueAsString(pilot)))
                .then();
    }
}
