package dev.loomboard.machine;

import static dev.loomboard.kernel.Rows.instant;
import static dev.loomboard.kernel.Rows.number;
import static dev.loomboard.kernel.Rows.text;

import dev.loomboard.kernel.MachineId;
import dev.loomboard.kernel.WireName;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.r2dbc.core.Parameter;
import org.springframework.stereotype.Repository;
import reactor.core.publisher.Mono;

/** What machines' JDK providers do now. All by primary key. */
@Repository
class JdkProgressStore {

    private final DatabaseClient database;

    JdkProgressStore(DatabaseClient database) {
        this.database = database;
    }

    Mono<Void> put(MachineId machine, JdkProgress.Report report, String selector) {
        Long bytes = report.bytes();
        return database.sql("""
                        insert into machine_jdk_progress (machine_id, phase, selector, bytes, of_bytes)
                        values (:machine, :phase, :selector, :bytes, :of)
                        on conflict (machine_id) do update
                           set phase = excluded.phase, selector = excluded.selector, bytes = excluded.bytes,
                               of_bytes = excluded.of_bytes, at = excluded.at
                        """)
                .bind("machine", machine.value())
                .bind("phase", report.phase().wire())
                .bind("selector", selector)
                .bind("bytes", bytes == null ? 0 : bytes)
                .bind("of", Parameter.fromOrEmpty(report.of(), Long.class))
                .then();
    }

    Mono<Void> clear(MachineId machine) {
        return database.sql("delete from machine_jdk_progress where machine_id = :machine")
                .bind("machine", machine.value())
                .then();
    }

    /** Empty: it does nothing, or nothing was heard of it for a day. */
    Mono<JdkProgress> of(MachineId machine) {
        return database.sql("""
                        select phase, selector, bytes, of_bytes, at from machine_jdk_progress
                         where machine_id = :machine and at > now() - interval '1 day'
                        """)
                .bind("machine", machine.value())
                .map(row -> new JdkProgress(
                        WireName.of(JdkProgress.Phase.class, text(row, "phase")),
                        text(row, "selector"),
                        number(row, "bytes"),
                        row.get("of_bytes", Long.class),
                        instant(row, "at")))
                .one();
    }
}
