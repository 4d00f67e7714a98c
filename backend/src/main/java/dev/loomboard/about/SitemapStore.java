package dev.loomboard.about;

import static dev.loomboard.kernel.Rows.text;
import static dev.loomboard.kernel.Rows.whole;

import dev.loomboard.kernel.Caller;
import dev.loomboard.kernel.VisibleSql;
import dev.loomboard.web.Urls;
import io.r2dbc.spi.Readable;
import java.util.List;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;
import reactor.core.publisher.Mono;

/** What everybody may see and has a page of its own. */
@Repository
class SitemapStore {

    /** Plan: leaderboard_entry_scenario_ix, whose entries do not grow with time; run_pk and series_pk up to their limits. */
    private static final String PAGES = """
            (select 1 as kind, e.scenario_key as name, '' as part, 0 as feature
               from leaderboard_entry e where visible(e) group by e.scenario_key order by e.scenario_key limit 200)
            union all
            (select 2, j.slug, '', j.feature from jdk_build j
              where j.feature > 0
                and exists (select from leaderboard_entry e where e.jdk_build_id = j.jdk_build_id and visible(e))
              order by j.build_order desc, j.slug limit 500)
            union all
            (select 3, m.slug, w.slug, 0 from machine m join workspace w using (workspace_id)
              where visible(m) order by m.machine_id limit 1000)
            union all
            (select 4, r.external_id, '', 0 from run r where visible(r) order by r.run_id desc limit 1000)
            union all
            (select 5, s.external_id, '', 0 from series s where visible(s) order by s.series_id desc limit 5000)
            """;

    private static final int SCENARIO = 1;
    private static final int BUILD = 2;
    private static final int MACHINE = 3;
    private static final int RUN = 4;

    private final DatabaseClient database;

    SitemapStore(DatabaseClient database) {
        this.database = database;
    }

    /** Their paths; the newest of what there are too many of. */
    Mono<List<String>> paths() {
        return VisibleSql.query(database, new Caller.Anonymous(), PAGES)
                .map(SitemapStore::path)
                .all()
                .collectList();
    }

    private static String path(Readable row) {
        String name = text(row, "name");
        return switch (whole(row, "kind")) {
            case SCENARIO -> Urls.leaderboardFor(name);
            case BUILD -> Urls.jdk(whole(row, "feature"), name);
            case MACHINE -> Urls.machine(text(row, "part"), name);
            case RUN -> Urls.run(name);
            default -> Urls.series(name);
        };
    }
}
