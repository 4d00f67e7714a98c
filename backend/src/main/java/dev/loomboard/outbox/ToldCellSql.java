package dev.loomboard.outbox;

import dev.loomboard.retracted.RetractedSql;

/** The cells of notices that stand: confirmed still, and nothing that they rest on is retracted or hidden. What does not stand is not told. */
final class ToldCellSql {

    private static final String TRIALS =
            "select t.server_digest from trial t where t.cell_id in (v.baseline_cell_id, v.candidate_cell_id)";

    /** In brackets, with the columns of {@code notice_cell}. Plan of one notice: notice_cell_notice_ix, primary keys, trial_cell_ix. */
    static final String CELLS = """
            (select x.notice_id, x.notice_cell_id, x.change_point_id, x.comparison_id, x.confirmed_at
               from notice_cell x
               join change_point cp on cp.change_point_id = x.change_point_id
               join series s on s.series_id = cp.series_id
               left join point p on p.point_id = cp.point_id
               left join run r on r.run_id = p.run_id
               left join run rr on rr.run_id = cp.rerun_run_id
               left join comparison v on v.comparison_id = cp.rerun_comparison_id and v.run_id = rr.run_id
            """
            + RetractedSql.join(new RetractedSql.Result(
                    "s.server",
                    "p.server_digest, (" + TRIALS + " limit 1)",
                    "s.workload",
                    "s.scenario_key",
                    "s.machine_id",
                    "p.run_id, cp.rerun_run_id"))
            + """
              where cp.status = 'confirmed' and ret.retracted is null
                and not coalesce(r.hidden, s.hidden) and rr.hidden is not true
             union all
             select x.notice_id, x.notice_cell_id, x.change_point_id, x.comparison_id, x.confirmed_at
               from notice_cell x
               join comparison v on v.comparison_id = x.comparison_id
               join run r on r.run_id = v.run_id
               join cell c on c.cell_id = v.candidate_cell_id
            """
            + RetractedSql.join(new RetractedSql.Result(
                    "c.server", TRIALS, "c.workload", "c.scenario_key", "r.machine_id", "r.run_id"))
            + """
              where ret.retracted is null and not r.hidden)
            """;

    private ToldCellSql() {}
}
