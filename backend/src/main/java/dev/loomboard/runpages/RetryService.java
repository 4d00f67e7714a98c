package dev.loomboard.runpages;

import dev.loomboard.kernel.Caller;
import dev.loomboard.kernel.Right;
import dev.loomboard.kernel.WorkspaceId;
import dev.loomboard.machine.MachineStore;
import dev.loomboard.matrix.Matrix;
import dev.loomboard.matrix.MatrixStore;
import dev.loomboard.quota.QuotaService;
import dev.loomboard.run.CreateResult;
import dev.loomboard.run.NewRun;
import dev.loomboard.run.RunService;
import dev.loomboard.view.Sentence;
import dev.loomboard.web.Problem;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.springframework.stereotype.Service;
import reactor.core.publisher.Mono;
import tools.jackson.core.JacksonException;

/** Measures again what failed in a run: a new run of the same matrix as it was then, of the groups of these cells. */
@Service
class RetryService {

    private final RunPageStore pages;
    private final RetryStore store;
    private final MatrixStore matrices;
    private final MachineStore machines;
    private final RunService runs;

    RetryService(RunPageStore pages, RetryStore store, MatrixStore matrices, MachineStore machines, RunService runs) {
        this.pages = pages;
        this.store = store;
        this.matrices = matrices;
        this.machines = machines;
        this.runs = runs;
    }

    /** Not of a rerun, which its change asks for again, nor of what another service measured. */
    static boolean may(RunDetail detail, Caller caller) {
        RunView run = detail.run();
        return caller.may(Right.RUN, run.maker().workspace())
                && run.imported() == null
                && !run.origin().followUp()
                && !detail.failed().isEmpty();
    }

    /** Gives the external id of the new run; empty: the caller may see no such run. */
    Mono<String> retry(Caller.Person person, String id) {
        return pages.find(person, id).flatMap(detail -> {
            if (!person.may(Right.RUN, detail.run().maker().workspace())) {
                return Mono.<String>error(Problem.notFound().asException());
            }
            return may(detail, person)
                    ? retry(person, detail)
                    : Mono.<String>error(Problem.conflict(
                                    "nothing-to-retry",
                                    "The run has no failed cell that could be measured again. A run is retried when it is"
                                            + " over; a rerun is asked for on the page of its change.")
                            .asException());
        });
    }

    private Mono<String> retry(Caller.Person person, RunDetail detail) {
        List<String> cells = detail.failed().stream().map(RunDetail.Cell::id).toList();
        return Mono.zip(store.run(detail.run().id()), store.groups(cells).collectList())
                .flatMap(found -> run(person, detail, found.getT1(), found.getT2()))
                .onErrorMap(
                        JacksonException.class,
                        e -> Problem.conflict(
                                        "old-matrix",
                                        "The matrix of the run is of an earlier version that is no longer understood."
                                                + " Run its matrix again.")
                                .asException());
    }

    private Mono<String> run(
            Caller.Person person, RunDetail detail, RetryStore.Run run, List<RetryStore.Measured> measured) {
        RunView of = detail.run();
        WorkspaceId workspace = of.maker().workspace();
        Set<String> groups = measured.stream().map(RetryStore.Measured::group).collect(Collectors.toSet());
        List<String> builds = measured.stream()
                .map(RetryStore.Measured::build)
                .filter(build -> !build.isEmpty())
                .distinct()
                .sorted()
                .toList();
        return Mono.zip(
                        matrices.byKey(run.matrix()),
                        machines.ofWorkspace(workspace, of.origin().machineSlug()))
                .flatMap(both -> {
                    Matrix matrix = both.getT1();
                    return runs.create(new NewRun(
                                    matrix.as(
                                            title(of.title()),
                                            matrix.visibility().and(of.visibility()),
                                            run.spec()),
                                    both.getT2(),
                                    builds,
                                    null,
                                    person.actor())
                            .of(groups));
                })
                .flatMap(came -> switch (came) {
                    case CreateResult.Created created -> Mono.just(created.id());
                    case CreateResult.Refused refused ->
                        Mono.<String>error(
                                refused.later()
                                        ? QuotaService.later(refused.reason())
                                        : Problem.conflict(
                                                        "no-retry",
                                                        Sentence.of("it cannot be retried: " + refused.reason()))
                                                .asException());
                });
    }

    private static String title(String of) {
        String again = ", failed cells again";
        return of.endsWith(again) ? of : of + again;
    }
}
