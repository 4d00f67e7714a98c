package dev.loomboard.inbox;

import static dev.loomboard.kernel.Rows.instant;
import static dev.loomboard.kernel.Rows.json;
import static dev.loomboard.kernel.Rows.text;
import static dev.loomboard.kernel.Rows.textOrNull;

import dev.loomboard.kernel.Caller;
import dev.loomboard.kernel.VisibleSql;
import dev.loomboard.kernel.WireName;
import dev.loomboard.kernel.WorkspaceId;
import dev.loomboard.regression.TriageState;
import java.util.List;
import java.util.Map;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.r2dbc.core.Parameter;
import org.springframework.stereotype.Repository;
import reactor.core.publisher.Mono;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/** What people say of a change that they were shown, and what the page sets beside it. */
@Repository
public class TriageStore {

    private static final int MOST = 200;
    private static final TypeReference<Map<String, String>> FLAGS = new TypeReference<>() {};
    private static final TypeReference<Map<String, Double>> COUNTS = new TypeReference<>() {};

    /**
     * A cell on each of the two builds: of the rerun, else the newest of the series. Plan: primary keys, point_build_ix,
     * trial_cell_ix, trial_metric_pk.
     */
    public static final String SIDES = """
            select k.side, (select c.external_id from cell c where c.cell_id = x.cell_id) as cell, coalesce((select t.end_facts -> 'flags' from trial t
                      where t.cell_id = x.cell_id and t.kind = 'scored' and t.state = 'done' and not t.late
                      order by t.ordinal, t.trial_id limit 1), '{}') as flags,
                   d.external_id as diagnostic,
                   coalesce((select jsonb_object_agg(q.metric, q.value) from trial_metric q
                      where q.trial_id = d.trial_id and q.metric = any(:metrics)), '{}') as counts
              from change_point cp
              left join comparison v on v.comparison_id = cp.rerun_comparison_id
             cross join lateral (values ('good', cp.good_build_id), ('build', cp.jdk_build_id)) k (side, build)
             cross join lateral (
                   (select c.cell_id, 0 as place from cell c join run r using (run_id)
                     where c.cell_id in (v.baseline_cell_id, v.candidate_cell_id) and c.jdk_build_id = k.build
                       and visible(r))
                   union all
                   (select p.cell_id, 1 from point p join run r using (run_id)
                     where p.jdk_build_id = k.build and p.series_id = cp.series_id
                       and visible(r)
                     order by p.point_id desc limit 1)
                   order by place limit 1) x
              left join lateral (select t.trial_id, t.external_id from trial t
                     where t.cell_id = x.cell_id and t.kind = 'diagnostic' and t.state = 'done' and not t.late
                     order by t.ordinal, t.trial_id limit 1) d on true
             where cp.change_point_id = :key
            """;

    private final DatabaseClient database;
    private final JsonMapper json;

    TriageStore(DatabaseClient database, JsonMapper json) {
        this.database = database;
        this.json = json;
    }

    Mono<List<RegressionPage.Event>> events(long key) {
        return database.sql("""
                        select e.at, a.display_name as who, e.was, e.becomes, o.display_name as owner, e.note
                          from regression_event e join account a using (account_id)
                          left join account o on o.account_id = e.owner_id
                         where e.change_point_id = :key order by e.at desc, e.regression_event_id desc limit :most
                        """)
                .bind("key", key)
                .bind("most", MOST)
                .map(row -> new RegressionPage.Event(
                        instant(row, "at"),
                        text(row, "who"),
                        WireName.of(TriageState.class, text(row, "was")),
                        WireName.of(TriageState.class, text(row, "becomes")),
                        textOrNull(row, "owner"),
                        text(row, "note")))
                .all()
                .collectList();
    }

    Mono<List<RegressionPage.Member>> members(WorkspaceId workspace) {
        return database.sql("""
                        select a.external_id, a.display_name from workspace_member m join account a using (account_id)
                         where m.workspace_id = :workspace and a.disabled_at is null order by a.display_name, a.account_id limit :most
                        """)
                .bind("workspace", workspace.value())
                .bind("most", MOST)
                .map(row -> new RegressionPage.Member(text(row, "external_id"), text(row, "display_name")))
                .all()
                .collectList();
    }

    Mono<Map<String, RegressionPage.Side>> sides(long key, List<String> metrics, Caller caller) {
        return VisibleSql.query(database, caller, SIDES)
                .bind("key", key)
                .bind("metrics", metrics.toArray(String[]::new))
                .map(row -> Map.entry(
                        text(row, "side"),
                        new RegressionPage.Side(
                                text(row, "cell"),
                                json.readValue(json(row, "flags"), FLAGS),
                                textOrNull(row, "diagnostic"),
                                json.readValue(json(row, "counts"), COUNTS))))
                .all()
                .collectMap(Map.Entry::getKey, Map.Entry::getValue);
    }

    /** To be called in a transaction. Empty when it is no confirmed regression any more. */
    Mono<String> put(long key, Caller.Person person, Triage triage) {
        return database.sql("""
                        select triage from change_point
                         where change_point_id = :key and status = 'confirmed' and direction = 'worse' for update
                        """)
                .bind("key", key)
                .map(row -> text(row, "triage"))
                .one()
                .delayUntil(was -> put(key, person, was, triage));
    }

    private Mono<Void> put(long key, Caller.Person person, String was, Triage triage) {
        return database.sql("""
                        with changed as (
                          update change_point set triage = :becomes,
                                 triage_owner_id = (select account_id from account where external_id = :owner)
                           where change_point_id = :key returning change_point_id, workspace_id, triage_owner_id)
                        insert into regression_event (workspace_id, change_point_id, account_id, was, becomes, owner_id, note)
                        select workspace_id, change_point_id, :account, :was, :becomes, triage_owner_id, :note from changed
                        """)
                .bind("key", key)
                .bind("account", person.account().value())
                .bind("was", was)
                .bind("becomes", triage.becomes())
                .bind("owner", Parameter.fromOrEmpty(triage.owner(), String.class))
                .bind("note", triage.note())
                .then();
    }
}
