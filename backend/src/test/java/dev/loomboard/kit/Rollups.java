package dev.loomboard.kit;

import dev.loomboard.compare.VerdictService;
import dev.loomboard.compare.VerdictStore;
import dev.loomboard.leaderboard.LeaderboardRollupStore;
import dev.loomboard.leaderboard.RankService;
import dev.loomboard.leaderboard.RankStore;
import dev.loomboard.series.CellStore;
import dev.loomboard.series.ChangePointService;
import dev.loomboard.series.ChangePointStore;
import dev.loomboard.series.RollupService;
import dev.loomboard.series.RollupStore;
import java.time.Clock;
import org.springframework.r2dbc.core.DatabaseClient;
import tools.jackson.databind.json.JsonMapper;

/** What becomes of ended trials, put together as the application does, on a test's database. */
public final class Rollups {

    private Rollups() {}

    public static RollupService of(DatabaseClient database, JsonMapper json) {
        return new RollupService(
                new RollupStore(database, json),
                new CellStore(database, json),
                new LeaderboardRollupStore(database, json),
                new ChangePointService(new ChangePointStore(database, json), Clock.systemUTC()),
                new RankService(new RankStore(database, json)),
                new VerdictService(new VerdictStore(database, json)),
                Clock.systemUTC());
    }
}
