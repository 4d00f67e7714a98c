package dev.loomboard.regression;

import static java.util.stream.Collectors.groupingBy;

import dev.loomboard.audit.AuditEvent;
import dev.loomboard.audit.AuditStore;
import dev.loomboard.expansion.TrialSecondsStore;
import dev.loomboard.jdk.JdkBuild;
import dev.loomboard.jdk.JdkStore;
import dev.loomboard.kernel.Caller;
import dev.loomboard.kernel.InTurn;
import dev.loomboard.kernel.MachineId;
import dev.loomboard.machine.MachineStore;
import dev.loomboard.matrix.MatrixSpec;
import dev.loomboard.matrix.MatrixStore;
import dev.loomboard.notice.NoticeStore;
import dev.loomboard.run.CreateResult;
import dev.loomboard.run.NewRun;
import dev.loomboard.run.RunService;
import dev.loomboard.view.Sentence;
import dev.loomboard.web.Problem;
import dev.loomboard.web.request.RequestId;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Service;
import org.springframework.transaction.reactive.TransactionalOperator;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import tools.jackson.core.JacksonException;

/**
 * Follows suspects up: a rerun of the last good build against the new one, in blocks that take turns, look by look, and what it
 * says. A look is a run, to which the next adds blocks.
 * Each step is one transaction and leaves a trace, so that it is not done twice however often it is called.
 */
@Service
public class RerunService {

    private static final Logger LOG = LoggerFactory.getLogger(RerunService.class);

    private final RerunStore store;
    private final TrialSecondsStore seconds;
    private final RunService runs;
    private final MatrixStore matrices;
    private final MachineStore machines;
    private final JdkStore jdks;
    private final NoticeStore notices;
    private final AuditStore audit;
    private final TransactionalOperator transaction;

    RerunService(
            RerunStore store,
            TrialSecondsStore seconds,
            RunService runs,
            MatrixStore matrices,
            MachineStore machines,
            JdkStore jdks,
            NoticeStore notices,
            AuditStore audit,
            TransactionalOperator transaction) {
        this.store = store;
        this.seconds = seconds;
        this.runs = runs;
        this.matrices = matrices;
        this.machines = machines;
        this.jdks = jdks;
        this.notices = notices;
        this.audit = audit;
        this.transaction = transaction;
    }

    /** Hears the looks at reruns that are over, and notes what is to be told; gives how many suspects were answered. */
    public Mono<Long> decide() {
        return store.answers()
                .collectList()
                .flatMapMany(Flux::fromIterable)
                .concatMap(
                        answer -> store.decide(answer.key(), answer.decision()).thenReturn(answer.key()))
                .collectList()
                .flatMap(answered -> notices.gather(answered).thenReturn((long) answered.size()))
                .as(transaction::transactional);
    }

    /** At most one rerun for each machine with suspects; a machine that cannot be served does not hold up the others. */
    public Mono<Void> followUp() {
        return InTurn.each(
                store.machines(),
                this::followUp,
                (machine, e) ->
                        LOG.error("suspected changes on machine {} could not be followed up", machine.slug(), e));
    }

    private Mono<Void> followUp(RerunStore.Machine machine) {
        return store.lock(machine.key())
                .thenMany(store.suspects(machine.key()))
                .collectList()
                .flatMap(this::withoutHopeless)
                .filter(waiting -> !waiting.isEmpty())
                .flatMap(waiting -> followUp(machine, waiting))
                .as(transaction::transactional);
    }

    /** Internal keys of the builds that the reruns of a machine measure: it must have them. */
    public Flux<Long> awaited(MachineId machine) {
        return store.awaited(machine);
    }

    /** An owner asks for what was not made by itself; what becomes of it is stored, like every rerun's end. */
    public Mono<Void> ask(Regression regression, Caller.Person person) {
        return store.machineOf(regression.key())
                .flatMap(machine -> store.lock(machine.key())
                        .then(Mono.defer(() -> store.asked(regression.key())))
                        .switchIfEmpty(Mono.error(() -> Problem.conflict(
                                        "follow-up-under-way",
                                        "The machine is busy with a rerun or a step of a bisection. Try again when that has ended.")
                                .asException()))
                        .flatMap(asked -> ask(machine, asked, regression, person)))
                .as(transaction::transactional);
    }

    private Mono<Void> ask(RerunStore.Machine machine, Suspect asked, Regression regression, Caller.Person person) {
        String reason = asked.hopeless();
        return reason != null
                ? Mono.error(Problem.conflict("no-rerun", Sentence.of(reason)).asException())
                : store.askAgain(asked)
                        .then(audit.append(new AuditEvent(
                                regression.workspaceKey(), person.actor(), "rerun.ask", regression.id(), Map.of())))
                        .then(followUp(machine, List.of(asked.asked())));
    }

    private Mono<List<Suspect>> withoutHopeless(List<Suspect> waiting) {
        return Flux.fromIterable(waiting)
                .concatMap(suspect -> {
                    String reason = suspect.hopeless();
                    return reason == null
                            ? Mono.just(suspect)
                            : store.giveUp(List.of(suspect.key()), reason).then(Mono.<Suspect>empty());
                })
                .collectList();
    }

    private Mono<Void> followUp(RerunStore.Machine machine, List<Suspect> waiting) {
        return jdks.present(machine.key())
                .collectMap(JdkBuild::key)
                .flatMap(present -> measurable(machine, waiting, present)
                        .filter(left -> !left.isEmpty())
                        .flatMap(left -> queue(machine, FollowUp.together(left), present)));
    }

    /** Those whose builds the machine has. */
    private Mono<List<Suspect>> measurable(
            RerunStore.Machine machine, List<Suspect> waiting, Map<Long, JdkBuild> present) {
        return Flux.fromIterable(waiting.stream()
                        .collect(groupingBy(s -> s.origin().builds()))
                        .entrySet())
                .concatMap(of -> {
                    List<Long> gone = of.getKey().stream()
                            .filter(build -> !present.containsKey(build))
                            .toList();
                    return gone.isEmpty()
                            ? Mono.just(of.getValue())
                            : await(machine, of.getValue(), gone).then(Mono.<List<Suspect>>empty());
                })
                .concatMapIterable(same -> same)
                .collectList();
    }

    /** They wait as long as the builds may come again. */
    private Mono<Void> await(RerunStore.Machine machine, List<Suspect> suspects, List<Long> gone) {
        return store.await(machine.key(), suspects.stream().map(Suspect::key).toList())
                .filter(mayCome -> !mayCome)
                .flatMap(
                        never -> Flux.fromIterable(gone).concatMap(store::build).collectList())
                .flatMap(names -> giveUp(
                        machine,
                        suspects,
                        String.join(" and ", names) + (names.size() == 1 ? " is" : " are")
                                + " no longer on the machine"));
    }

    private Mono<Void> queue(RerunStore.Machine machine, List<Suspect> together, Map<Long, JdkBuild> present) {
        Suspect.Origin origin = together.getFirst().origin();
        JdkBuild good = Objects.requireNonNull(present.get(origin.goodBuild()));
        JdkBuild young = Objects.requireNonNull(present.get(origin.newBuild()));
        return store.run(origin.run())
                .flatMap(run -> Mono.zip(
                                seconds.of(machine.key(), FollowUp.spec(run.spec(), together)),
                                store.promised(machine.key()))
                        .map(found -> FollowUp.of(together, found.getT1(), found.getT2()))
                        .filter(rerun -> !rerun.suspects().isEmpty())
                        .flatMap(rerun -> queue(machine, rerun, good, young, run)))
                .onErrorResume(JacksonException.class, e -> giveUp(machine, together, RerunStore.unreadable(e)));
    }

    private Mono<Void> queue(
            RerunStore.Machine machine, FollowUp rerun, JdkBuild good, JdkBuild young, RerunStore.Run run) {
        MatrixSpec spec = FollowUp.spec(run.spec(), rerun.suspects());
        String title = "Rerun of " + good.slug() + " against " + young.slug();
        return Mono.zip(matrices.byKey(run.matrix()), machines.ofWorkspace(machine.workspace(), machine.slug()))
                .flatMap(both -> runs.create(new NewRun(
                                both.getT1().as(title, both.getT1().visibility().and(run.visibility()), spec),
                                both.getT2(),
                                List.of(good.agentSlug(), young.agentSlug()),
                                null,
                                rerun.suspects().getFirst().id())
                        .following(rerun.groups())))
                .flatMap(came -> switch (came) {
                    case CreateResult.Created created -> followed(machine, rerun, created);
                    case CreateResult.Refused refused ->
                        refused.later()
                                ? Mono.<Void>empty() // they stay suspects and are looked at again
                                : giveUp(machine, rerun.suspects(), refused.reason());
                });
    }

    private Mono<Void> followed(RerunStore.Machine machine, FollowUp rerun, CreateResult.Created run) {
        String notMeasured = "its cell can no longer be measured on the machine";
        return RequestId.logged(() -> LOG.info(
                        "{} suspected changes on machine {} are followed up by {}",
                        rerun.keys().size(),
                        machine.slug(),
                        run.id()))
                .then(store.follow(rerun, run.key()))
                .then(store.giveUp(rerun.keys(), notMeasured));
    }

    private Mono<Void> giveUp(RerunStore.Machine machine, List<Suspect> suspects, String reason) {
        return RequestId.logged(() -> LOG.info("no rerun on machine {}: {}", machine.slug(), reason))
                .then(store.giveUp(suspects.stream().map(Suspect::key).toList(), "no rerun: " + reason));
    }
}
