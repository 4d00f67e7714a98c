package dev.loomboard.schedule;

import dev.loomboard.cron.FireTime;
import dev.loomboard.expansion.Expansion;
import dev.loomboard.inventory.InventoryStore;
import dev.loomboard.jdk.JdkBuild;
import dev.loomboard.jdk.JdkStore;
import dev.loomboard.matrix.MatrixSpec;
import java.util.List;
import java.util.Optional;
import org.springframework.stereotype.Service;
import reactor.core.publisher.Mono;

/** Whether a firing would measure a build that the schedule's runs have not measured. */
@Service
class NewBuildService {

    private final JdkStore jdks;
    private final InventoryStore inventories;
    private final FiringStore firings;

    NewBuildService(JdkStore jdks, InventoryStore inventories, FiringStore firings) {
        this.jdks = jdks;
        this.inventories = inventories;
        this.firings = firings;
    }

    /**
     * Why a firing is skipped because nothing is new; empty: the schedule does not ask for that, a build is new, or no JDK would be
     * measured. The control plays no part: it is never new.
     */
    Mono<Optional<String>> nothingNew(Schedule schedule, MatrixSpec spec) {
        if (!schedule.builds().onlyNew()) {
            return Mono.just(Optional.empty());
        }
        return Mono.zip(
                        jdks.present(schedule.machine().key()).collectList(),
                        inventories.servers(schedule.machine().key()))
                .flatMap(has -> {
                    List<JdkBuild> wanted = wanted(
                            Expansion.of(spec, schedule.jdks(), has.getT1(), has.getT2(), group -> true, null, 0));
                    return firings.measured(
                                    schedule.key(),
                                    wanted.stream().map(JdkBuild::key).toList())
                            .collectList()
                            .map(measured -> reason(schedule, wanted, measured));
                });
    }

    /** Newest first. */
    static List<JdkBuild> wanted(Expansion.Result laidOut) {
        return switch (laidOut) {
            case Expansion.Nothing nothing -> List.of();
            case Expansion.Expanded(Expansion expansion) ->
                expansion.cells().stream()
                        .map(cell -> cell.jdk())
                        .filter(jdk -> !jdk.equals(JdkBuild.NONE))
                        .distinct()
                        .sorted(JdkBuild.NEWEST_FIRST)
                        .toList();
        };
    }

    private static Optional<String> reason(
            Schedule schedule, List<JdkBuild> wanted, List<FiringStore.Measured> measured) {
        if (wanted.isEmpty() || measured.size() < wanted.size()) {
            return Optional.empty();
        }
        JdkBuild newest = wanted.getFirst();
        FiringStore.Measured last = measured.stream()
                .filter(m -> m.build() == newest.key())
                .findFirst()
                .orElseThrow();
        String at = FireTime.of(last.at(), schedule.times().zoneId()).local();
        return Optional.of("Nothing new: " + newest.slug()
                + (last.over() ? " was measured on " + at + " in " : " is measured since " + at + " by ") + last.run()
                + (wanted.size() == 1 ? "." : ", and so were the other builds."));
    }
}
