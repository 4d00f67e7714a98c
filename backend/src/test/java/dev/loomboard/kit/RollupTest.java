package dev.loomboard.kit;

import dev.loomboard.kernel.Caller;
import dev.loomboard.recompute.RecomputeService;
import dev.loomboard.trial.TrialStore;
import java.util.List;
import java.util.Objects;
import tools.jackson.databind.JsonNode;

/** Base of the tests of what becomes of an ended trial. */
public abstract class RollupTest extends StoreTest {

    protected static final Caller ANYBODY = new Caller.Anonymous();

    protected final RecomputeService rollup = Rollups.of(database, json);
    protected final TrialStore trials = new TrialStore(database);

    protected final void end(Bench.Trial trial) {
        complete(transaction.transactional(rollup.trialEnded(trial.id())));
    }

    protected final long points(Bench.Cell cell) {
        return number("select count(*) from point where cell_id = " + cell.id());
    }

    protected final JsonNode point(Bench.Cell cell, String metric) {
        return row(
                "select to_json(p)::text from point p join series s using (series_id) where p.cell_id = %d and s.metric = '%s'"
                        .formatted(cell.id(), metric));
    }

    protected final JsonNode entry(Bench.Cell cell) {
        return row("select to_json(e)::text from leaderboard_entry e where cell_id = " + cell.id());
    }

    protected final List<String> reasons(Bench.Cell cell) {
        return entry(cell).path("reasons").valueStream().map(JsonNode::asString).toList();
    }

    protected final JsonNode row(String sql) {
        return json.readTree(await(database.sql(sql)
                .map(r -> Objects.requireNonNull(r.get(0, String.class)))
                .one()));
    }
}
