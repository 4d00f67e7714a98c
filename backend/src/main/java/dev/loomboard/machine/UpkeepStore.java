package dev.loomboard.machine;

import dev.loomboard.kernel.MachineId;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.r2dbc.core.Parameter;
import org.springframework.stereotype.Repository;
import reactor.core.publisher.Mono;

/** Writes what owners change of a machine while it measures. By the machine's key; false: it is so already. */
@Repository
class UpkeepStore {

    private final DatabaseClient database;

    UpkeepStore(DatabaseClient database) {
        this.database = database;
    }

    /** @param since when it began to drain; null: it takes runs again */
    Mono<Boolean> drain(MachineId machine, @Nullable Instant since) {
        return changed(database.sql("""
                        update machine set draining_since = :since
                         where machine_id = :machine and (draining_since is null) <> (:since::timestamptz is null)
                        """)
                .bind(
                        "since",
                        Parameter.fromOrEmpty(
                                since == null ? null : since.atOffset(ZoneOffset.UTC), OffsetDateTime.class))
                .bind("machine", machine.value()));
    }

    Mono<Boolean> rename(MachineId machine, String name) {
        return changed(database.sql("update machine set name = :name where machine_id = :machine and name <> :name")
                .bind("name", name)
                .bind("machine", machine.value()));
    }

    Mono<Boolean> label(MachineId machine, List<String> labels) {
        return changed(
                database.sql("update machine set labels = :labels where machine_id = :machine and labels <> :labels")
                        .bind("labels", labels.toArray(String[]::new))
                        .bind("machine", machine.value()));
    }

    private static Mono<Boolean> changed(DatabaseClient.GenericExecuteSpec update) {
        return update.fetch().rowsUpdated().map(rows -> rows > 0);
    }
}
