package dev.loomboard.regression;

import dev.loomboard.audit.AuditEvent;
import dev.loomboard.audit.AuditStore;
import dev.loomboard.jdk.JdkBuild;
import dev.loomboard.jdk.JdkStore;
import dev.loomboard.jdkflags.FlagChanges;
import dev.loomboard.jdkflags.JdkFlagStore;
import dev.loomboard.kernel.Caller;
import dev.loomboard.machine.MachineStore;
import dev.loomboard.matrix.MatrixSpec;
import dev.loomboard.matrix.MatrixStore;
import dev.loomboard.run.CreateResult;
import dev.loomboard.run.NewRun;
import dev.loomboard.run.RunService;
import dev.loomboard.verdict.Outcome;
import dev.loomboard.view.Sentence;
import dev.loomboard.web.Problem;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.springframework.stereotype.Service;
import org.springframework.transaction.reactive.TransactionalOperator;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import tools.jackson.core.JacksonException;

/** Asks whether a changed default explains a confirmed regression: both builds again, the default on both as it was. */
@Service
public class DefaultRerunService {

    private final DefaultRerunStore store;
    private final RerunStore reruns;
    private final JdkFlagStore flags;
    private final JdkStore jdks;
    private final MatrixStore matrices;
    private final MachineStore machines;
    private final RunService runs;
    private final AuditStore audit;
    private final TransactionalOperator transaction;

    DefaultRerunService(
            DefaultRerunStore store,
            RerunStore reruns,
            JdkFlagStore flags,
            JdkStore jdks,
            MatrixStore matrices,
            MachineStore machines,
            RunService runs,
            AuditStore audit,
            TransactionalOperator transaction) {
        this.store = store;
        this.reruns = reruns;
        this.flags = flags;
        this.jdks = jdks;
        this.matrices = matrices;
        this.machines = machines;
        this.runs = runs;
        this.audit = audit;
        this.transaction = transaction;
    }

    public Flux<DefaultRerun> of(Regression regression, Caller caller) {
        return store.of(caller, regression.key());
    }

    /** Which defaults differ between its builds; empty: no machine that the caller may see has read those of both. */
    public Mono<FlagChanges> changes(Regression regression, Caller caller) {
        return flags.between(
                caller,
                regression.good().slug(),
                regression.build().slug(),
                regression.cell().machineAddress());
    }

    /** @param flag name of one that changed; empty: all of them at once */
    public Mono<Void> ask(Regression regression, Caller.Person person, String flag) {
        Outcome outcome = regression.shownByRerun();
        if (outcome == null) {
            return Mono.error(conflict("A rerun of both builds must show the change first."));
        }
        return changes(regression, person)
                .map(changes -> changes.revertible(!regression.cell().settings().defaults()).stream()
                        .filter(change -> flag.isEmpty() || change.name().equals(flag))
                        .toList())
                .filter(reverted -> !reverted.isEmpty())
                .switchIfEmpty(Mono.error(() -> conflict("No such default changed between the builds.")))
                .flatMap(reverted -> ask(regression, person, outcome.blocks(), reverted))
                .as(transaction::transactional);
    }

    private Mono<Void> ask(Regression regression, Caller.Person person, int blocks, List<FlagChanges.Change> reverted) {
        return reruns.machineOf(regression.key())
                .flatMap(machine -> reruns.lock(machine.key())
                        .then(Mono.defer(() -> reruns.asked(regression.key())))
                        .switchIfEmpty(
                                Mono.error(
                                        () -> conflict(
                                                "The machine is busy with a rerun or a step of a bisection. Try again when that has ended.")))
                        .flatMap(of -> queue(regression, machine, of, blocks, reverted)))
                .then(audit.append(new AuditEvent(
                        regression.workspaceKey(),
                        person.actor(),
                        "default-rerun.ask",
                        regression.id(),
                        Map.of("flags", names(reverted)))));
    }

    private Mono<Void> queue(
            Regression regression,
            RerunStore.Machine machine,
            Suspect of,
            int blocks,
            List<FlagChanges.Change> reverted) {
        List<String> options = reverted.stream()
                .flatMap(change -> change.optionsAsBefore().stream())
                .distinct()
                .toList();
        return Mono.zip(
                        reruns.run(of.origin().run()),
                        jdks.present(machine.key()).collectList(),
                        machines.ofWorkspace(machine.workspace(), machine.slug()))
                .flatMap(found -> matrices.byKey(found.getT1().matrix())
                        .flatMap(matrix -> runs.create(new NewRun(
                                        matrix.as(
                                                title(regression, reverted),
                                                matrix.visibility()
                                                        .and(found.getT1().visibility()),
                                                spec(found.getT1().spec(), blocks, options)),
                                        found.getT3(),
                                        builds(found.getT2(), of.origin(), regression),
                                        null,
                                        of.id())
                                .following(Set.of(of.group())))))
                .onErrorMap(JacksonException.class, e -> conflict(Sentence.of(RerunStore.unreadable(e))))
                .flatMap(came -> switch (came) {
                    case CreateResult.Created run ->
                        store.add(
                                regression.key(),
                                run.key(),
                                reverted.stream().map(FlagChanges.Change::name).toList(),
                                options);
                    case CreateResult.Refused refused ->
                        Mono.<Void>error(conflict(Sentence.of("it cannot be measured: " + refused.reason())));
                });
    }

    /** Options that come later win. */
    private static MatrixSpec spec(MatrixSpec of, int blocks, List<String> options) {
        return of.with(new MatrixSpec.Trials(blocks, 0))
                .with(Stream.concat(of.jvmOptions().stream(), options.stream()).toList());
    }

    private static List<String> builds(List<JdkBuild> present, Suspect.Origin origin, Regression regression) {
        return List.of(
                build(present, origin.goodBuild(), regression.good().slug()),
                build(present, origin.newBuild(), regression.build().slug()));
    }

    private static String build(List<JdkBuild> present, long key, String slug) {
        Optional<JdkBuild> build = present.stream().filter(b -> b.key() == key).findFirst();
        return build.map(JdkBuild::agentSlug).orElseThrow(() -> conflict(slug + " is no longer on the machine."));
    }

    private static String title(Regression regression, List<FlagChanges.Change> reverted) {
        String what = reverted.size() == 1 ? reverted.getFirst().name() : reverted.size() + " defaults";
        return "Rerun of " + regression.good().slug() + " against "
                + regression.build().slug() + ", " + what + " as before";
    }

    private static String names(List<FlagChanges.Change> reverted) {
        return String.join(", ", reverted.stream().map(FlagChanges.Change::name).toList());
    }

    private static RuntimeException conflict(String why) {
        return Problem.conflict("no-default-rerun", why).asException();
    }
}
