package dev.loomboard.machine;

import dev.loomboard.inventory.InventoryStore;
import dev.loomboard.jdk.JdkStore;
import dev.loomboard.kernel.Caller;
import dev.loomboard.kernel.Right;
import dev.loomboard.view.Chart;
import dev.loomboard.visibility.CoverService;
import dev.loomboard.web.FormState;
import dev.loomboard.web.Problem;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import org.springframework.stereotype.Service;
import reactor.core.publisher.Mono;

/** Gathers a machine's page: also for the forms on it, which have to be shown again when refused. */
@Service
class MachineViewService {

    private final MachineStore machines;
    private final InventoryStore inventories;
    private final QueueStore queues;
    private final OddityStore oddities;
    private final PastStore past;
    private final JdkProgressStore progress;
    private final JdkStore jdks;
    private final CoverService cover;
    private final Clock clock;

    MachineViewService(
            MachineStore machines,
            InventoryStore inventories,
            QueueStore queues,
            OddityStore oddities,
            PastStore past,
            JdkProgressStore progress,
            JdkStore jdks,
            CoverService cover,
            Clock clock) {
        this.machines = machines;
        this.inventories = inventories;
        this.queues = queues;
        this.oddities = oddities;
        this.past = past;
        this.progress = progress;
        this.jdks = jdks;
        this.cover = cover;
        this.clock = clock;
    }

    /** An error of 404 when the caller may not see it. */
    Mono<MachineView.Summary> find(Caller caller, String workspace, String slug) {
        return machines.find(caller, workspace, slug)
                .switchIfEmpty(Mono.error(Problem.notFound().asException()));
    }

    /** An error of 403 when the caller sees it and does not own it. */
    Mono<MachineView.Summary> owned(Caller caller, String workspace, String slug) {
        return find(caller, workspace, slug)
                .filter(machine -> caller.may(Right.MACHINES, machine.workspaceKey()))
                .switchIfEmpty(Mono.error(Problem.of(
                                403,
                                "forbidden",
                                "Not allowed",
                                "Only an owner of workspace " + workspace + " may change its machines.")
                        .asException()));
    }

    /** @param form on the page that was refused, or an empty one */
    Mono<MachinePage> page(Caller caller, MachineView.Summary machine, FormState form) {
        return view(caller, machine)
                .flatMap(view -> Mono.zip(charts(caller, view), cover.of(machine.key()))
                        .map(both -> new MachinePage(
                                view,
                                both.getT1(),
                                clock.instant(),
                                caller.may(Right.MACHINES, machine.workspaceKey()),
                                form,
                                both.getT2())));
    }

    /** How its noise went; none where there is nothing to draw. */
    Mono<List<Chart>> charts(Caller caller, MachineView view) {
        return past.weeks(caller, view.summary().key())
                .map(weeks -> NoiseChart.of(weeks, view.attempts()).stream().toList());
    }

    Mono<MachineView> view(Caller caller, MachineView.Summary machine) {
        return Mono.zip(
                        inventories.details(machine.key()),
                        jdks.present(machine.key()).collectList(),
                        machines.recentRuns(caller, machine.key()).collectList(),
                        queues.of(caller, machine.key()),
                        oddities.of(caller, machine.key()),
                        past.changes(machine.key()),
                        past.gone(machine.key()),
                        progress.of(machine.key()).map(Optional::of).defaultIfEmpty(Optional.empty()))
                .map(all -> new MachineView(
                        machine,
                        new MachineView.Host(
                                all.getT1().fingerprintHash(),
                                all.getT1().classHash(),
                                all.getT1().facts()),
                        all.getT2(),
                        all.getT1().offers().excludedJdks(),
                        all.getT1().offers().servers(),
                        all.getT3(),
                        all.getT4(),
                        all.getT1().doctor(),
                        MachineView.Qualified.of(
                                all.getT1().qualification(), all.getT1().attempts()),
                        all.getT5(),
                        all.getT6(),
                        all.getT7(),
                        all.getT8().orElse(null)));
    }
}
