package dev.loomboard.about;

import static dev.loomboard.kernel.Rows.text;
import static dev.loomboard.kernel.Rows.whole;

import dev.loomboard.kernel.Caller;
import dev.loomboard.kernel.VisibleSql;
import dev.loomboard.view.ScenarioText;
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
            (select 'scenario' as kind, e.scenario_key as name, '' as part, 0 as feature
               from leaderboard_entry e where visible(e) group by e.scenario_key order by e.scenario_key limit 200)
            union all
            (select 'server', e.server, e.variant, 0
               from leaderboard_entry e where visible(e) group by e.server, e.variant order by e.server, e.variant limit 1000)
            union all
            (select 'jdk', j.slug, '', j.feature from jdk_build j
              where j.feature > 0
                and exists (select from leaderboard_entry e where e.jdk_build_id = j.jdk_build_id and visible(e))
              order by j.build_order desc, j.slug limit 500)
            union all
            (select 'machine', m.slug, w.slug, 0 from machine m join workspace w using (workspace_id)
              where visible(m) order by m.machine_id limit 1000)
            union all
            (select 'run', r.external_id, '', 0 from run r where visible(r) order by r.run_id desc limit 1000)
            union all
            (select 'series', s.external_id, '', 0 from series s where visible(s) order by s.series_id desc limit 5000)
            """;

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
        return switch (text(row, "kind")) {
            case "scenario" -> Urls.leaderboard(ScenarioText.of(name).slug());
            case "server" -> Urls.server(name, text(row, "part"));
            case "jdk" -> Urls.jdk(whole(row, "feature"), name);
            case "machine" -> Urls.machine(text(row, "part"), name);
            case "run" -> Urls.run(name);
            case "series" -> Urls.series(name);
            default -> throw new IllegalStateException(text(row, "kind") + " has no page");
        };
    }
}
