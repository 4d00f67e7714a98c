package dev.loomboard.bisection;

import dev.loomboard.audit.AuditEvent;
import dev.loomboard.audit.AuditStore;
import dev.loomboard.cell.RunState;
import dev.loomboard.jdk.JdkBuild;
import dev.loomboard.jdk.JdkStore;
import dev.loomboard.kernel.Caller;
import dev.loomboard.kernel.InTurn;
import dev.loomboard.kernel.MachineId;
import dev.loomboard.machine.MachineStore;
import dev.loomboard.matrix.MatrixSpec;
import dev.loomboard.matrix.MatrixStore;
import dev.loomboard.regression.Regression;
import dev.loomboard.regression.RerunStore;
import dev.loomboard.retracted.Retracted;
import dev.loomboard.run.CreateResult;
import dev.loomboard.run.NewRun;
import dev.loomboard.run.RunService;
import dev.loomboard.stats.bisection.Bisection;
import dev.loomboard.stats.bisection.TwoChanges;
import dev.loomboard.view.Sentence;
import dev.loomboard.web.Problem;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Service;
import org.springframework.transaction.reactive.TransactionalOperator;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import tools.jackson.core.JacksonException;

/**
 * Looks for the build that brought a confirmed change: a person starts it, and then one run at a time is queued as a
 * follow-up. Each step is one transaction that leaves a trace, so no step is made twice, however often
 * {@link #advance} is called or the service restarts.
 */
@Service
public class BisectionService {

    private static final Logger LOG = LoggerFactory.getLogger(BisectionService.class);

    private final BisectionStore store;
    private final BisectionRunStore bisections;
    private final RerunStore reruns;
    private final RunService runs;
    private final MatrixStore matrices;
    private final MachineStore machines;
    private final JdkStore jdks;
    private final AuditStore audit;
    private final TransactionalOperator transaction;

    BisectionService(
            BisectionStore store,
            BisectionRunStore bisections,
            RerunStore reruns,
            RunService runs,
            MatrixStore matrices,
            MachineStore machines,
            JdkStore jdks,
            AuditStore audit,
            TransactionalOperator transaction) {
        this.store = store;
        this.bisections = bisections;
        this.reruns = reruns;
        this.runs = runs;
        this.matrices = matrices;
        this.machines = machines;
        this.jdks = jdks;
        this.audit = audit;
        this.transaction = transaction;
    }

    /** What it would cost, or why there can be none. */
    public Mono<BisectionPlan> plan(Regression regression) {
        return planned(regression).map(Planned::plan);
    }

    private record Planned(BuildRange range, BisectionPlan plan) {}

    private Mono<Planned> planned(Regression regression) {
        Mono<Optional<Double>> seconds =
                store.trialSeconds(regression.key()).map(Optional::of).defaultIfEmpty(Optional.empty());
        return Mono.zip(store.range(regression.key()), seconds)
                .map(found -> new Planned(
                        found.getT1(),
                        found.getT1().plan(regression, found.getT2().orElse(null))));
    }

    /** @param agreedTrials the most trials that it was said to take; gives its external id */
    public Mono<String> start(Regression regression, Caller.Person person, String agreedTrials) {
        return planned(regression)
                .flatMap(planned -> {
                    String reason = planned.plan().reason();
                    if (reason != null) {
                        return Mono.error(Problem.conflict("no-bisection", Sentence.of(reason))
                                .asException());
                    }
                    return agreedTrials.equals(Integer.toString(planned.plan().mostTrials()))
                            ? add(regression, person, planned)
                            : Mono.error(costChanged().asException());
                })
                .as(transaction::transactional);
    }

    private Mono<String> add(Regression regression, Caller.Person person, Planned planned) {
        Regression.Rerun rerun = regression.rerun();
        Bisection.Blocks blocks = rerun == null || rerun.outcome() == null ? null : BuildRange.blocks(rerun.outcome());
        if (blocks == null) {
            throw new IllegalStateException("a bisection of " + regression.id() + " was planned without a rerun");
        }
        return store.add(regression, person, planned.range(), planned.plan(), blocks)
                .switchIfEmpty(Mono.error(
                        () -> Problem.conflict("under-way", "A bisection of this change is already in progress.")
                                .asException()))
                .delayUntil(id -> audit.append(new AuditEvent(
                        regression.workspaceKey(),
                        person.actor(),
                        "bisection.start",
                        regression.id(),
                        Map.of("bisection", id, "cost", planned.plan().cost()))));
    }

    private static Problem costChanged() {
        return Problem.conflict(
                "cost-changed",
                "What it costs has changed since the page was read: go back to it, look again, and start it then.");
    }

    /** Also cancels the run that it waits for. */
    public Mono<Void> cancel(Regression regression, Caller.Person person) {
        return store.cancel(regression.key())
                .switchIfEmpty(Mono.error(
                        () -> Problem.conflict("not-under-way", "No bisection of this change is in progress.")
                                .asException()))
                .flatMap(run -> run.isEmpty() ? Mono.empty() : runs.cancel(person, run))
                .then(audit.append(new AuditEvent(
                        regression.workspaceKey(), person.actor(), "bisection.cancel", regression.id(), Map.of())))
                .then()
                .as(transaction::transactional);
    }

    /** Hears steps that are over and queues the next; one that cannot go on does not hold up the others. */
    public Mono<Void> advance() {
        return InTurn.each(
                bisections.running(),
                this::advance,
                (running, e) -> LOG.error("bisection {} could not go on", running.id(), e));
    }

    private Mono<Void> advance(BisectionRunStore.Running running) {
        return reruns.lock(running.machine())
                .then(Mono.defer(() -> bisections.work(running)))
                .flatMap(work -> advance(running, work))
                .as(transaction::transactional);
    }

    private Mono<Void> advance(BisectionRunStore.Running running, BisectionRunStore.Work work) {
        BisectionRunStore.Open open = work.open();
        Retracted retracted = work.retracted();
        if (retracted != null) {
            return stopped(work, open)
                    .then(ended(
                            work, BisectionStatus.CANCELLED, "the results it is based on are " + retracted.words()));
        }
        if (open == null) {
            return switch (work.bisection().next()) {
                case BisectionState.End end -> ended(work, BisectionStatus.DONE, end.reason());
                case BisectionState.Measure measure -> measure(work, measure.build());
            };
        }
        if (!open.over()) {
            return Mono.empty();
        }
        return heard(work, open)
                .then(Mono.defer(() -> bisections.work(running)))
                .flatMap(then -> advance(running, then));
    }

    /** The run that it waits for measures what nobody wants to know any longer. */
    private Mono<Void> stopped(BisectionRunStore.Work work, BisectionRunStore.@Nullable Open step) {
        if (step == null) {
            return Mono.empty();
        }
        Mono<Void> run = step.run() == null || step.over()
                ? Mono.empty()
                : runs.cancel(work.id(), step.run()).then();
        return bisections.invalid(step.key(), "the bisection was stopped").then(run);
    }

    private Mono<Void> heard(BisectionRunStore.Work work, BisectionRunStore.Open step) {
        if (step.runState() == RunState.CANCELLED) {
            return bisections
                    .invalid(step.key(), "its run was cancelled")
                    .then(ended(work, BisectionStatus.CANCELLED, "the run of its step was cancelled"));
        }
        Bisection.Blocks measured = step.measured();
        if (measured == null) {
            return bisections.invalid(step.key(), step.reason());
        }
        BisectionState then = work.bisection().with(new BisectionState.Step(step.build(), measured, null));
        TwoChanges two = then.twoChanges();
        return bisections
                .measured(step.key(), measured, then.posterior())
                .then(two == null ? Mono.empty() : bisections.twoChanges(work.key(), two));
    }

    private Mono<Void> ended(BisectionRunStore.Work work, BisectionStatus status, String reason) {
        LOG.info("bisection {} is {}: {}", work.id(), status.wire(), reason);
        return bisections.end(work.key(), status, reason);
    }

    private Mono<Void> measure(BisectionRunStore.Work work, int build) {
        return Mono.zip(
                        bisections.busy(work.machine()),
                        jdks.present(work.machine()).collectList())
                .filter(found -> !found.getT1())
                .flatMap(found -> {
                    Optional<JdkBuild> good =
                            present(found.getT2(), work.builds().getFirst());
                    Optional<JdkBuild> other =
                            present(found.getT2(), work.builds().get(build));
                    return good.isPresent() && other.isPresent()
                            ? queue(work, build, good.get(), other.get())
                            : bisections
                                    .mayStillCome(work)
                                    .filter(mayCome -> !mayCome)
                                    .flatMap(never -> without(work, build, good.isPresent()));
                });
    }

    private Mono<Void> without(BisectionRunStore.Work work, int build, boolean hasGood) {
        return hasGood
                ? bisections.add(work, build, null, "it is no longer on the machine")
                : ended(
                        work,
                        BisectionStatus.FAILED,
                        work.bisection().names().getFirst() + " is no longer on the machine");
    }

    /** Internal keys of the builds that the next steps of a machine's searches measure: it must have them. */
    public Flux<Long> awaited(MachineId machine) {
        return bisections
                .running()
                .filter(running -> running.machine().equals(machine))
                .concatMap(bisections::work)
                .filter(work -> work.open() == null && work.retracted() == null)
                .concatMapIterable(BisectionService::awaited);
    }

    private static List<Long> awaited(BisectionRunStore.Work work) {
        return switch (work.bisection().next()) {
            case BisectionState.End end -> List.of();
            case BisectionState.Measure measure ->
                List.of(work.builds().getFirst(), work.builds().get(measure.build()));
        };
    }

    private static Optional<JdkBuild> present(List<JdkBuild> builds, long key) {
        return builds.stream().filter(b -> b.key() == key).findFirst();
    }

    private Mono<Void> queue(BisectionRunStore.Work work, int build, JdkBuild good, JdkBuild other) {
        int blocks = work.bisection().bisection().blocks();
        return reruns.run(work.run())
                .flatMap(run -> {
                    MatrixSpec spec = run.spec().with(new MatrixSpec.Trials(blocks, 0));
                    return Mono.zip(
                                    matrices.byKey(run.matrix()),
                                    machines.ofWorkspace(work.workspace(), work.machineSlug()))
                            .flatMap(both -> runs.create(new NewRun(
                                            both.getT1()
                                                    .as(
                                                            work.title() + ", " + good.slug() + " against "
                                                                    + other.slug(),
                                                            both.getT1()
                                                                    .visibility()
                                                                    .and(run.visibility()),
                                                            spec),
                                            both.getT2(),
                                            List.of(good.agentSlug(), other.agentSlug()),
                                            null,
                                            work.id())
                                    .following(Set.of(work.group()))))
                            .flatMap(came -> switch (came) {
                                case CreateResult.Created created -> bisections.add(work, build, created.key(), null);
                                case CreateResult.Refused refused ->
                                    refused.later()
                                            ? Mono.<Void>empty() // the next look tries again
                                            : bisections.add(work, build, null, refused.reason());
                            });
                })
                .onErrorResume(
                        JacksonException.class, e -> ended(work, BisectionStatus.FAILED, RerunStore.unreadable(e)));
    }
}
