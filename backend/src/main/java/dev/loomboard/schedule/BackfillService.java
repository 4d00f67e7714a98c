package dev.loomboard.schedule;

import dev.loomboard.expansion.Expansion;
import dev.loomboard.inventory.InventoryStore;
import dev.loomboard.jdk.JdkBuild;
import dev.loomboard.jdk.JdkStore;
import dev.loomboard.matrix.MatrixSpec;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.springframework.stereotype.Service;
import reactor.core.publisher.Mono;

/** Which build that a schedule missed its next firing measures. */
@Service
class BackfillService {

    private final JdkStore jdks;
    private final InventoryStore inventories;
    private final FiringStore firings;

    BackfillService(JdkStore jdks, InventoryStore inventories, FiringStore firings) {
        this.jdks = jdks;
        this.inventories = inventories;
        this.firings = firings;
    }

    Mono<Optional<Backfill>> next(Schedule schedule, MatrixSpec spec) {
        int most = schedule.rules().backfill();
        if (most == 0) {
            return Mono.just(Optional.empty());
        }
        return Mono.zip(
                        jdks.present(schedule.machine().key()).collectList(),
                        inventories.servers(schedule.machine().key()))
                .flatMap(has -> next(
                        schedule,
                        most,
                        NewBuildService.wanted(
                                Expansion.of(spec, schedule.jdks(), has.getT1(), has.getT2(), group -> true, null, 0)),
                        has.getT1()));
    }

    private Mono<Optional<Backfill>> next(Schedule schedule, int most, List<JdkBuild> wanted, List<JdkBuild> present) {
        List<Long> ofTheirLines = present.stream()
                .filter(b -> wanted.stream().anyMatch(w -> Backfill.alike(b, w)))
                .map(JdkBuild::key)
                .toList();
        return Mono.zip(
                firings.measured(schedule.key(), ofTheirLines)
                        .map(FiringStore.Measured::build)
                        .collect(Collectors.toSet()),
                firings.backfilled(schedule.key()).collect(Collectors.toSet()),
                (measured, tried) -> Backfill.next(most, wanted, present, measured, tried));
    }
}
