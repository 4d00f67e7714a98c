package dev.loomboard.lookup;

import static dev.loomboard.kernel.Rows.text;
import static dev.loomboard.kernel.Rows.whole;

import dev.loomboard.kernel.Caller;
import dev.loomboard.kernel.VisibleSql;
import dev.loomboard.kernel.WireName;
import dev.loomboard.lookup.Found.Kind;
import dev.loomboard.web.Urls;
import io.r2dbc.spi.Readable;
import java.util.List;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;
import reactor.core.publisher.Mono;

/** Looks for names. What a caller may not see is not found. */
@Repository
class LookupStore {

    /** Of each kind. */
    static final int MOST = 8;

    /** Of runs, which are without end, the newest are looked through. */
    private static final int RUNS = 5000;

    /**
     * What begins so comes first, and of one name what is of the workspace that every installation has.
     * Plan: tables that do not grow with time are read whole; run_pk backwards, {@link #RUNS} rows.
     */
    private static final String FOUND = """
            (select 'server' as kind, x.server as words, string_agg(distinct x.variant, ', ') as more, x.server as name,
                    '' as part, 0 as feature
               from leaderboard_entry x
              where visible(x) and (x.server || ' ' || x.variant) ilike :pattern
              group by x.server order by x.server ilike :start desc, x.server limit :most)
            union all
            (select 'jdk', j.slug, j.vendor || ' ' || j.runtime_version, j.slug, '', j.feature from jdk_build j
              where j.feature > 0 and (j.slug || ' ' || j.vendor || ' ' || j.runtime_version) ilike :pattern
                and exists (select from leaderboard_entry e where e.jdk_build_id = j.jdk_build_id and visible(e))
              order by j.slug ilike :start desc, j.build_order desc, j.slug limit :most)
            union all
            (select 'machine', m.name, w.slug, m.slug, w.slug, 0 from machine m join workspace w using (workspace_id)
              where visible(m) and (m.name || ' ' || m.slug) ilike :pattern
              order by m.name ilike :start desc, m.name, w.slug <> 'main', w.slug limit :most)
            union all
            (select 'matrix', x.title, w.slug, x.slug, w.slug, 0 from matrix x join workspace w using (workspace_id)
              where visible(x) and x.archived_at is null and x.listed and (x.title || ' ' || x.slug) ilike :pattern
              order by x.title ilike :start desc, x.title, w.slug <> 'main', w.slug limit :most)
            union all
            (select 'run', r.title, to_char(r.created_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI') || ' UTC', r.external_id, '', 0
               from (select * from run r where visible(r) order by r.run_id desc limit :runs) r
              where r.title ilike :pattern or r.external_id = :asked
              order by r.run_id desc limit :most)
            """;

    private final DatabaseClient database;

    LookupStore(DatabaseClient database) {
        this.database = database;
    }

    /** @param asked not empty; each of its words must be there, in their order */
    Mono<List<Found>> find(Caller caller, String asked) {
        String words = asked.replaceAll("([\\\\%_])", "\\\\$1").replaceAll("\\s+", "%");
        return VisibleSql.query(database, caller, FOUND)
                .bind("pattern", "%" + words + "%")
                .bind("start", words + "%")
                .bind("asked", asked)
                .bind("most", MOST)
                .bind("runs", RUNS)
                .map(LookupStore::found)
                .all()
                .collectList();
    }

    private static Found found(Readable row) {
        Kind kind = WireName.of(Kind.class, text(row, "kind"));
        String name = text(row, "name");
        String part = text(row, "part");
        return switch (kind) {
            case SERVER -> new Found(kind, text(row, "words"), text(row, "more"), Urls.server(name));
            case JDK -> new Found(kind, text(row, "words"), text(row, "more"), Urls.jdk(whole(row, "feature"), name));
            case MACHINE -> new Found(kind, text(row, "words"), "workspace " + part, Urls.machine(part, name));
            case MATRIX -> new Found(kind, text(row, "words"), "workspace " + part, Urls.matrix(part, name));
            case RUN -> new Found(kind, text(row, "words"), text(row, "more"), Urls.run(name));
        };
    }
}
