package dev.loomboard.runpages;

import dev.loomboard.cell.RunPriority;
import dev.loomboard.jdk.JdkBuild;
import dev.loomboard.jdk.JdkSelectors;
import dev.loomboard.jdk.JdkStore;
import dev.loomboard.kernel.Caller;
import dev.loomboard.kernel.ExternalId;
import dev.loomboard.kernel.FieldChecks;
import dev.loomboard.machine.MachineStore;
import dev.loomboard.machine.MachineView;
import dev.loomboard.matrix.Matrix;
import dev.loomboard.matrix.MatrixPart;
import dev.loomboard.matrix.MatrixStore;
import dev.loomboard.quota.QuotaService;
import dev.loomboard.run.CreateResult;
import dev.loomboard.run.NewRun;
import dev.loomboard.run.RunService;
import dev.loomboard.web.Problem;
import dev.loomboard.web.ProblemException;
import dev.loomboard.web.Urls;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;

/** Runs for scripts: queue one, and follow it. */
@RestController
class RunApi {

    private static final int MOST_RUNS = 100;

    private final RunService runs;
    private final RunStatusStore statuses;
    private final MatrixStore matrices;
    private final MachineStore machines;
    private final JdkStore jdks;

    RunApi(RunService runs, RunStatusStore statuses, MatrixStore matrices, MachineStore machines, JdkStore jdks) {
        this.runs = runs;
        this.statuses = statuses;
        this.matrices = matrices;
        this.machines = machines;
        this.jdks = jdks;
    }

    /**
     * @param servers of the matrix, or variants of them; null: all
     * @param workloads of the matrix; null: all
     * @param control slug of a build of the machine that the cells are measured on, too; null: none
     * @param priority null: normal
     */
    record RunRequest(
            String matrix,
            String machine,
            @Nullable List<String> jdks,
            @Nullable List<String> servers,
            @Nullable List<String> workloads,
            @Nullable String control,
            @Nullable RunPriority priority) {
        RunRequest {
            FieldChecks.matching("matrix", matrix, FieldChecks.SLUG);
            FieldChecks.matching("machine", machine, FieldChecks.SLUG);
            if (control != null && !JdkSelectors.isName(control)) {
                throw new FieldChecks.Refused(
                        "control", "must be the slug of a JDK build such as temurin-25.0.3_9-amd64, is: " + control);
            }
            servers = named("servers", servers, MatrixPart.SERVER);
            workloads = named("workloads", workloads, FieldChecks.SLUG);
            jdks = jdks == null ? List.of() : FieldChecks.list("jdks", jdks, 100);
            for (int i = 0; i < jdks.size(); i++) {
                String field = "jdks[" + i + "]";
                JdkSelectors.problem(jdks.get(i)).ifPresent(problem -> {
                    throw new FieldChecks.Refused(field, problem);
                });
            }
        }

        private static List<String> named(String field, @Nullable List<String> names, Pattern form) {
            List<String> all = names == null ? List.of() : FieldChecks.list(field, names, 100);
            for (int i = 0; i < all.size(); i++) {
                FieldChecks.matching(field + "[" + i + "]", all.get(i), form);
            }
            return all;
        }

        MatrixPart part() {
            return new MatrixPart(servers == null ? List.of() : servers, workloads == null ? List.of() : workloads);
        }

        RunPriority priorityOrNormal() {
            return priority == null ? RunPriority.NORMAL : priority;
        }

        List<String> selectors() {
            return jdks == null ? List.of() : jdks;
        }
    }

    record Queued(String runId, String url) {}

    record RunList(List<RunStatus> runs) {}

    @PostMapping("/api/v1/runs")
    @ResponseStatus(HttpStatus.CREATED)
    Mono<Queued> create(Caller.Token token, @RequestBody RunRequest request) {
        var matrix = matrices.ofWorkspace(token.workspace(), request.matrix())
                .switchIfEmpty(unknown("matrix", "the workspace has no matrix " + request.matrix()))
                .flatMap(whole -> part(whole, request.part()));
        var machine = machines.ofWorkspace(token.workspace(), request.machine())
                .switchIfEmpty(unknown("machine", "the workspace has no machine " + request.machine()));
        return Mono.zip(matrix, machine)
                .flatMap(both -> control(both.getT2(), request.control())
                        .map(control -> new NewRun(both.getT1(), both.getT2(), request.selectors(), null, token.actor())
                                .withControl(control.map(JdkBuild::key).orElse(null))
                                .withPriority(request.priorityOrNormal())))
                .flatMap(runs::create)
                .flatMap(came -> switch (came) {
                    case CreateResult.Created created -> Mono.just(new Queued(created.id(), Urls.run(created.id())));
                    case CreateResult.Refused refused -> Mono.error(refusal(refused));
                });
    }

    private static Mono<Matrix> part(Matrix whole, MatrixPart part) {
        return part.lackedBy(whole.spec())
                .<Mono<Matrix>>map(lack -> unknown(lack.field(), lack.message()))
                .orElseGet(() -> Mono.just(whole.only(part)));
    }

    private static ProblemException refusal(CreateResult.Refused refused) {
        return refused.later()
                ? QuotaService.later(refused.reason())
                : Problem.of(422, "nothing-to-run", "Nothing to run", refused.reason())
                        .asException();
    }

    private Mono<Optional<JdkBuild>> control(MachineView.Summary machine, @Nullable String slug) {
        return slug == null
                ? Mono.just(Optional.empty())
                : jdks.present(machine.key())
                        .filter(build -> build.slug().equals(slug))
                        .next()
                        .map(Optional::of)
                        .switchIfEmpty(
                                unknown("control", "machine " + machine.slug() + " has no JDK build " + slug + " now"));
    }

    @GetMapping("/api/v1/runs")
    Mono<RunList> list(
            Caller caller,
            @RequestParam String machine,
            @RequestParam(required = false) @Nullable String matrix,
            @RequestParam(defaultValue = "20") int limit) {
        if (limit < 1 || limit > MOST_RUNS) {
            return Mono.error(Problem.invalid("limit", "must be from 1 to " + MOST_RUNS + ", is: " + limit)
                    .asException());
        }
        return statuses.newest(caller, machine, matrix, limit).collectList().map(RunList::new);
    }

    @GetMapping("/api/v1/runs/{runId}")
    Mono<RunStatus> status(Caller caller, @PathVariable String runId) {
        return Mono.just(runId)
                .filter(id -> ExternalId.isOf("run", id))
                .flatMap(id -> statuses.find(caller, id))
                .switchIfEmpty(Mono.error(Problem.notFound().asException()));
    }

    private static <T> Mono<T> unknown(String field, String message) {
        return Mono.error(Problem.invalid(field, message).asException());
    }
}
