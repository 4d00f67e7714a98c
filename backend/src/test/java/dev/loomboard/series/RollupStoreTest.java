package dev.loomboard.series;

import dev.loomboard.kit.Bench;
import dev.loomboard.kit.Rollups;
import dev.loomboard.kit.StoreTest;
import dev.loomboard.web.Caller;
import java.util.List;
import java.util.Objects;
import tools.jackson.databind.JsonNode;

/** Base of the tests of what becomes of an ended trial. */
abstract class RollupStoreTest extends StoreTest {

    static final Caller ANYBODY = new Caller.Anonymous();

    final RollupService rollup = Rollups.of(database, json);
    final TrialStore trials = new TrialStore(database, json);

    final void end(Bench.Trial trial) {
        complete(transaction.transactional(rollup.trialEnded(trial.id())));
    }

    final long points(Bench.Cell cell) {
        return number("select count(*) from point where cell_id = " + cell.id());
    }

    final JsonNode point(Bench.Cell cell, String metric) {
        return row(
                "select to_json(p)::text from point p join series s using (series_id) where p.cell_id = %d and s.metric = '%s'"
                        .formatted(cell.id(), metric));
    }

    final JsonNode entry(Bench.Cell cell) {
        return row("select to_json(e)::text from leaderboard_entry e where cell_id = " + cell.id());
    }

    final List<String> reasons(Bench.Cell cell) {
        return entry(cell).path("reasons").valueStream().map(JsonNode::asString).toList();
    }

    final JsonNode row(String sql) {
        return json.readTree(await(database.sql(sql)
                .map(r -> Objects.requireNonNull(r.get(0, String.class)))
                .one()));
    }
}
