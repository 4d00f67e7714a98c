package dev.loomboard.schedule;

import dev.loomboard.audit.AuditEvent;
import dev.loomboard.audit.AuditStore;
import dev.loomboard.inventory.InventoryStore;
import dev.loomboard.jdk.JdkBuild;
import dev.loomboard.jdk.JdkStore;
import dev.loomboard.kernel.Caller;
import dev.loomboard.kernel.MachineId;
import dev.loomboard.matrix.Matrix;
import dev.loomboard.matrix.MatrixSpec;
import dev.loomboard.matrix.MatrixStore;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Service;
import org.springframework.transaction.reactive.TransactionalOperator;
import reactor.core.publisher.Mono;
import tools.jackson.core.JacksonException;

/** The build that stays beside what a schedule measures: chosen at a firing, kept, and changed by its owners. */
@Service
public class ScheduleControlService {

    private static final String NONE = "off";

    private final ScheduleStore schedules;
    private final MatrixStore matrices;
    private final JdkStore jdks;
    private final InventoryStore inventories;
    private final AuditStore audit;
    private final TransactionalOperator transaction;
    private final Clock clock;

    ScheduleControlService(
            ScheduleStore schedules,
            MatrixStore matrices,
            JdkStore jdks,
            InventoryStore inventories,
            AuditStore audit,
            TransactionalOperator transaction,
            Clock clock) {
        this.schedules = schedules;
        this.matrices = matrices;
        this.jdks = jdks;
        this.inventories = inventories;
        this.audit = audit;
        this.transaction = transaction;
        this.clock = clock;
    }

    /** To be called in the firing's transaction; what it chooses is stored. Empty: the run has none. */
    Mono<Optional<JdkBuild>> atFiring(Schedule schedule, MatrixSpec spec) {
        Schedule.Control control = schedule.control();
        if (!control.on()) {
            return Mono.just(Optional.empty());
        }
        return offer(schedule.machine().key())
                .flatMap(offer -> Mono.justOrEmpty(ControlChoice.of(control, spec, schedule.jdks(), offer)))
                .delayUntil(choice -> changes(control, choice) ? put(schedule, choice) : Mono.empty())
                .map(choice -> Optional.ofNullable(choice.build()))
                .defaultIfEmpty(Optional.empty());
    }

    /** That a machine has none is said once. */
    private static boolean changes(Schedule.Control control, ControlChoice choice) {
        return choice.note() != null && (choice.build() != null || control.key() != null || control.note() == null);
    }

    private Mono<Void> put(Schedule schedule, ControlChoice choice) {
        JdkBuild build = choice.build();
        return schedules
                .putControl(schedule.key(), true, build == null ? null : build.key(), choice.note(), clock.instant())
                .then(note(schedule, schedule.id(), build == null ? "none" : build.slug()));
    }

    /** What the page of a schedule says. */
    public Mono<ControlView> view(Schedule schedule) {
        Schedule.Control control = schedule.control();
        return offer(schedule.machine().key())
                .flatMap(offer -> choice(control, schedule.matrix().key(), schedule.jdks(), offer)
                        .map(choice -> new ControlView(control, control.on() ? choice : null, offer.builds()))
                        .defaultIfEmpty(new ControlView(control, null, offer.builds())));
    }

    /**
     * What a form would lead to, in a sentence; empty: it names no matrix and machine yet.
     *
     * @param schedule null: a new one
     */
    public Mono<String> sentence(
            Optional<Choice> matrix, Optional<Choice> machine, List<String> selectors, @Nullable Schedule schedule) {
        Schedule.Control control = schedule == null ? Schedule.Control.UNCHOSEN : schedule.control();
        if (matrix.isEmpty() || machine.isEmpty()) {
            return Mono.empty();
        }
        return offer(new MachineId(machine.get().key()))
                .flatMap(offer -> choice(control, matrix.get().key(), selectors, offer)
                        .map(choice -> new ControlView(control, choice, List.of()))
                        .defaultIfEmpty(new ControlView(control, null, List.of()))
                        .map(ControlView::sentence));
    }

    /** @param asked off, the slug of a build, or empty: the one there is, else the service chooses; gives why that is refused, empty: it is done */
    public Mono<Optional<String>> change(Caller.Person person, Schedule schedule, String asked) {
        Schedule.Control control = schedule.control();
        if (asked.isEmpty() || asked.equals(NONE)) {
            return store(person, schedule, asked.isEmpty(), control.key(), control.note(), asked);
        }
        return offer(schedule.machine().key()).flatMap(offer -> {
            Optional<JdkBuild> named =
                    offer.builds().stream().filter(b -> b.slug().equals(asked)).findFirst();
            if (named.isEmpty()) {
                return Mono.just(Optional.of(asked + " is not on the machine."));
            }
            long key = named.get().key();
            Schedule.Control wanted = new Schedule.Control(true, key, asked, null, null);
            return choice(wanted, schedule.matrix().key(), schedule.jdks(), offer)
                    .map(choice -> choice.build() != null && choice.build().key() == key)
                    .defaultIfEmpty(true) // nothing can be measured now, so nothing speaks against it
                    .flatMap(
                            usable -> usable
                                    ? store(person, schedule, true, key, "An owner chose it.", asked)
                                    : Mono.just(
                                            Optional.of(
                                                    asked
                                                            + " cannot be it: it is the newest build that is measured, or a server does not run on it.")));
        });
    }

    private Mono<Optional<String>> store(
            Caller.Person person,
            Schedule schedule,
            boolean on,
            @Nullable Long build,
            @Nullable String why,
            String asked) {
        return schedules
                .putControl(schedule.key(), on, build, why, clock.instant())
                .then(note(schedule, person.actor(), asked.isEmpty() ? "on" : asked))
                .as(transaction::transactional)
                .thenReturn(Optional.empty());
    }

    /** Empty: nothing can be measured, or the matrix was stored by a version that this one does not understand. */
    private Mono<ControlChoice> choice(
            Schedule.Control control, long matrix, List<String> selectors, ControlChoice.Offer offer) {
        return matrices.byKey(matrix)
                .map(Matrix::spec)
                .flatMap(spec -> Mono.justOrEmpty(ControlChoice.of(control, spec, selectors, offer)))
                .onErrorResume(JacksonException.class, e -> Mono.empty());
    }

    private Mono<ControlChoice.Offer> offer(MachineId machine) {
        return Mono.zip(jdks.present(machine).collectList(), inventories.servers(machine), ControlChoice.Offer::new);
    }

    private Mono<Void> note(Schedule schedule, String actor, String control) {
        return audit.append(new AuditEvent(
                schedule.workspaceKey(), actor, "schedule.control", schedule.id(), Map.of("control", control)));
    }
}
