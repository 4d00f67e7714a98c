package dev.loomboard.firststeps;

import dev.loomboard.kernel.Caller;
import dev.loomboard.kernel.Right;
import dev.loomboard.machine.MachineStore;
import dev.loomboard.machine.MachineView;
import java.time.Clock;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Service;
import reactor.core.publisher.Mono;

/** Finds out how far a person is on the way to a first result. */
@Service
public class FirstStepsService {

    /** Of the presets: every variant in minutes, and a night's watch. */
    private static final String FIRST = "starter";

    private static final String NIGHTLY = "nightly";

    private final FirstStepsStore store;
    private final MachineStore machines;
    private final Clock clock;

    FirstStepsService(FirstStepsStore store, MachineStore machines, Clock clock) {
        this.store = store;
        this.machines = machines;
        this.clock = clock;
    }

    /** Empty: the caller is no person who may register a machine, so the steps are another's. */
    public Mono<FirstStepsPage> of(Caller caller) {
        return caller instanceof Caller.Person person && person.mayAnywhere(Right.MACHINES)
                ? steps(person)
                : Mono.empty();
    }

    private Mono<FirstStepsPage> steps(Caller.Person person) {
        return Mono.zip(
                        store.had(person),
                        machine(person).map(Optional::of).defaultIfEmpty(Optional.empty()),
                        store.run(person).map(Optional::of).defaultIfEmpty(Optional.empty()),
                        store.presets(person))
                .map(all -> new FirstStepsPage(
                        steps(
                                all.getT2().orElse(null),
                                all.getT3().orElse(null),
                                all.getT4(),
                                all.getT1().scheduled()),
                        all.getT1().results()));
    }

    private Mono<MachineView.Summary> machine(Caller.Person person) {
        return machines.visible(person)
                .filter(machine -> !machine.imported()
                        && !machine.agent().revoked()
                        && person.may(Right.MACHINES, machine.workspaceKey()))
                .next();
    }

    private FirstSteps steps(
            MachineView.@Nullable Summary machine,
            FirstSteps.@Nullable Run run,
            Map<String, FirstSteps.Matrix> presets,
            boolean scheduled) {
        return new FirstSteps(
                machine,
                machine != null && machine.online(clock.instant()),
                run,
                presets.get(FIRST),
                presets.get(NIGHTLY),
                scheduled);
    }
}
