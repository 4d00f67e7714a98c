package dev.loomboard.kit;

import dev.loomboard.changepoint.ChangePointService;
import dev.loomboard.changepoint.ChangePointStore;
import dev.loomboard.ranking.LeaderboardRollupStore;
import dev.loomboard.ranking.RankService;
import dev.loomboard.ranking.RankStore;
import dev.loomboard.recompute.RecomputeService;
import dev.loomboard.recompute.RollupService;
import dev.loomboard.rollup.CellStore;
import dev.loomboard.rollup.RollupStore;
import dev.loomboard.verdict.VerdictService;
import dev.loomboard.verdict.VerdictStore;
import java.time.Clock;
import org.springframework.r2dbc.core.DatabaseClient;
import tools.jackson.databind.json.JsonMapper;

/** What becomes of ended trials, put together as the application does, on a test's database. */
public final class Rollups {

    private Rollups() {}

    public static RecomputeService of(DatabaseClient database, JsonMapper json) {
        RollupStore trials = new RollupStore(database, json);
        RollupService rollup = new RollupService(
                trials,
                new CellStore(database, json),
                new LeaderboardRollupStore(database, json),
                new ChangePointService(new ChangePointStore(database, json), Clock.systemUTC()),
                Clock.systemUTC());
        return new RecomputeService(
                rollup,
                trials,
                new RankService(new RankStore(database, json)),
                new VerdictService(new VerdictStore(database, json)));
    }
}
