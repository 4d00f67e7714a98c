package dev.loomboard.outbox;

import static dev.loomboard.kernel.Rows.text;

import dev.loomboard.cell.Jdk;
import dev.loomboard.cell.JdkSql;
import dev.loomboard.kernel.Rows;
import dev.loomboard.kernel.WireName;
import dev.loomboard.kernel.WorkspaceId;
import dev.loomboard.notice.NoticeKind;
import dev.loomboard.regression.Regression;
import dev.loomboard.regression.RegressionStore;
import dev.loomboard.verdict.Outcome;
import dev.loomboard.verdict.VerdictStore;
import io.r2dbc.spi.Readable;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;
import reactor.core.publisher.Mono;

/**
 * Reads what a notice tells: what was confirmed before it was closed, so that a message says the same whenever it is sent, and still
 * stands ({@link ToldCellSql}).
 */
@Repository
public class ToldNoticeStore {

    private static final int MOST = 300;

    /** Plan: notice_pk, primary keys, machine_class_ix. */
    private static final String HEAD = """
            select n.external_id as notice, n.told_at, n.kind, n.workspace_id, w.slug as workspace, w.name as workspace_name, """ + JdkSql.COLUMNS + """
            , coalesce((select m.class_label from machine m where m.class_hash = n.machine_class and m.workspace_id = n.workspace_id
                         limit 1), '') as class_label,
                   array(select cp.external_id from """ + ToldCellSql.CELLS + """
                           x join change_point cp using (change_point_id)
                          where x.notice_id = n.notice_id and x.confirmed_at <= n.told_at order by x.notice_cell_id limit :most) as changes
              from notice n join workspace w using (workspace_id) join jdk_build j using (jdk_build_id)
             where n.notice_id = :notice
            """;

    /** The newest test of each cell. Plan: notice_cell_notice_ix, primary keys. */
    private static final String FAILING =
            """
            select distinct on (m.machine_id, f.server, f.variant, f.scenario_key, f.collector, f.limits)
                   f.server, f.variant, f.scenario_key, f.collector, m.name as machine, r.external_id as run, v.family_size,
                   b.cell_id = f.cell_id as turned, """ + JdkSql.COLUMNS + ", " + VerdictStore.OUTCOME + """
              from """ + ToldCellSql.CELLS + """
               x
              join notice n using (notice_id)
              join comparison v using (comparison_id)
              join run r on r.run_id = v.run_id
              join machine m on m.machine_id = r.machine_id
              join cell b on b.cell_id = v.baseline_cell_id
              join cell c on c.cell_id = v.candidate_cell_id
              join cell f on f.cell_id in (b.cell_id, c.cell_id) and f.jdk_build_id = n.jdk_build_id
              join jdk_build j on j.jdk_build_id = case when b.cell_id = f.cell_id then c.jdk_build_id else b.jdk_build_id end
             where x.notice_id = :notice and x.confirmed_at <= n.told_at
             order by m.machine_id, f.server, f.variant, f.scenario_key, f.collector, f.limits, x.notice_cell_id desc
             limit :most
            """;

    private final DatabaseClient database;
    private final RegressionStore regressions;
    private final ToldAlarmStore alarms;

    ToldNoticeStore(DatabaseClient database, RegressionStore regressions, ToldAlarmStore alarms) {
        this.database = database;
        this.regressions = regressions;
        this.alarms = alarms;
    }

    private record Head(
            String id,
            Instant told,
            NoticeKind kind,
            WorkspaceId key,
            String workspace,
            String name,
            Jdk build,
            String machineClass,
            List<String> changes) {}

    /** @param notice key of one that is closed */
    public Mono<ToldNotice> of(long notice) {
        return head(notice)
                .flatMap(head -> Mono.zip(
                                regressions.these(head.key(), head.changes()).collectList(), failing(notice))
                        .map(found -> told(head, found.getT1(), found.getT2())))
                .switchIfEmpty(Mono.defer(() -> alarms.of(notice)));
    }

    private static ToldNotice told(Head head, List<Regression> changes, List<ToldChange> failing) {
        return new ToldNotice(
                head.id(),
                head.told(),
                head.workspace(),
                head.name(),
                ToldBuild.of(head.kind(), head.build(), head.machineClass(), failing, changes));
    }

    private Mono<Head> head(long notice) {
        return database.sql(HEAD)
                .bind("notice", notice)
                .bind("most", MOST)
                .map(row -> new Head(
                        text(row, "notice"),
                        Rows.instant(row, "told_at"),
                        WireName.of(NoticeKind.class, text(row, "kind")),
                        new WorkspaceId(Rows.number(row, "workspace_id")),
                        text(row, "workspace"),
                        text(row, "workspace_name"),
                        JdkSql.read(row),
                        text(row, "class_label"),
                        Rows.texts(row, "changes")))
                .one();
    }

    private Mono<List<ToldChange>> failing(long notice) {
        return database.sql(FAILING)
                .bind("notice", notice)
                .bind("most", MOST)
                .map(ToldNoticeStore::failed)
                .all()
                .collectList();
    }

    private static ToldChange failed(Readable row) {
        Outcome outcome = Objects.requireNonNull(VerdictStore.outcome(row), "a test with a verdict was judged");
        return ToldChange.failing(
                ToldChange.Cell.of(
                        text(row, "server"),
                        text(row, "variant"),
                        text(row, "scenario_key"),
                        text(row, "collector"),
                        text(row, "machine")),
                JdkSql.read(row),
                Rows.flag(row, "turned") ? outcome.turned() : outcome,
                Rows.whole(row, "family_size"),
                text(row, "run"));
    }
}
