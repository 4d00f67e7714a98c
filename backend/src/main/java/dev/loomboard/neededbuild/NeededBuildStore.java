package dev.loomboard.neededbuild;

import static dev.loomboard.kernel.Rows.text;

import dev.loomboard.kernel.MachineId;
import java.util.List;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.stereotype.Repository;
import reactor.core.publisher.Flux;

/** Builds that what is under way or planned on a machine names. */
@Repository
class NeededBuildStore {

    private final DatabaseClient database;

    NeededBuildStore(DatabaseClient database) {
        this.database = database;
    }

    /**
     * As the agent calls them: builds that searches and reruns wait for, those of the machine that a search under way may still measure, and the
     * controls of active schedules. Plan: series_machine_ix, bisection_running_uq, schedule_machine_ix, machine_jdk_pk.
     *
     * @param awaited internal keys
     */
    Flux<String> named(MachineId machine, List<Long> awaited) {
        return database.sql("""
                        select j.agent_slug from machine_jdk j
                         where j.machine_id = :machine and j.agent_slug <> ''
                           and (j.jdk_build_id = any(:awaited)
                                or j.present and j.jdk_build_id in (select unnest(b.builds)
                                                                      from series s join change_point cp on cp.series_id = s.series_id
                                                                      join bisection b on b.change_point_id = cp.change_point_id
                                                                     where s.machine_id = :machine and b.state = 'running')
                                or j.jdk_build_id in (select c.control_build_id from schedule c
                                                       where c.machine_id = :machine and c.state = 'active' and c.control))
                         order by j.agent_slug limit 500
                        """)
                .bind("machine", machine.value())
                .bind("awaited", awaited.toArray(Long[]::new))
                .map(row -> text(row, "agent_slug"))
                .all();
    }

    /** The baselines that active schedules measure by, as selectors: their own, or else their matrix's. Plan: schedule_machine_ix, primary keys. */
    Flux<String> baselines(MachineId machine) {
        return database.sql("""
                        select distinct w.word
                          from schedule s join matrix x on x.matrix_id = s.matrix_id
                         cross join lateral unnest(case when cardinality(s.jdk_selectors) > 0 then s.jdk_selectors
                                                        else array(select jsonb_array_elements_text(x.spec -> 'jdks')) end) w (word)
                         where s.machine_id = :machine and s.state = 'active' and w.word like 'baseline:%'
                         order by w.word limit 100
                        """)
                .bind("machine", machine.value())
                .map(row -> text(row, "word"))
                .all();
    }
}
