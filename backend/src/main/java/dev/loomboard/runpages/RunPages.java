package dev.loomboard.runpages;

import static dev.loomboard.web.PageRenderer.seeOther;

import dev.loomboard.cell.RunPriority;
import dev.loomboard.jdk.JdkSelectors;
import dev.loomboard.kernel.Caller;
import dev.loomboard.kernel.ExternalId;
import dev.loomboard.kernel.WireName;
import dev.loomboard.machine.MachineView;
import dev.loomboard.matrix.MatrixPage;
import dev.loomboard.matrix.MatrixPageService;
import dev.loomboard.matrix.MatrixPart;
import dev.loomboard.run.CreateResult;
import dev.loomboard.run.NewRun;
import dev.loomboard.run.RunService;
import dev.loomboard.web.FormState;
import dev.loomboard.web.PageContext;
import dev.loomboard.web.PageRenderer;
import dev.loomboard.web.Problem;
import dev.loomboard.web.Problem.FieldError;
import dev.loomboard.web.Urls;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/** What people do to runs: start one from a matrix's page, move it in its queue, and cancel it. */
@Controller
class RunPages {

    private final RunService runs;
    private final RetryService retries;
    private final MatrixPageService matrices;
    private final PageRenderer html;

    RunPages(RunService runs, RetryService retries, MatrixPageService matrices, PageRenderer html) {
        this.runs = runs;
        this.retries = retries;
        this.matrices = matrices;
        this.html = html;
    }

    @PostMapping("/w/{workspace}/matrices/{slug}/run")
    Mono<ResponseEntity<byte[]>> runNow(
            PageContext shell,
            Caller.Person person,
            @PathVariable String workspace,
            @PathVariable String slug,
            ServerWebExchange exchange) {
        return exchange.getFormData()
                .map(FormState::typed)
                .flatMap(form -> matrices.page(person, workspace, slug, form))
                .flatMap(page -> start(shell, person, page));
    }

    @PostMapping("/runs/{runId}/cancel")
    Mono<ResponseEntity<byte[]>> cancel(Caller.Person person, @PathVariable String runId) {
        return Mono.just(runId)
                .filter(id -> ExternalId.isOf("run", id))
                .flatMap(id -> runs.cancel(person, id))
                .switchIfEmpty(Mono.error(Problem.notFound().asException()))
                .map(state -> seeOther(Urls.run(runId)));
    }

    @PostMapping("/runs/{runId}/retry")
    Mono<ResponseEntity<byte[]>> retry(Caller.Person person, @PathVariable String runId) {
        return Mono.just(runId)
                .filter(id -> ExternalId.isOf("run", id))
                .flatMap(id -> retries.retry(person, id))
                .switchIfEmpty(Mono.error(Problem.notFound().asException()))
                .map(retry -> seeOther(Urls.run(retry)));
    }

    @PostMapping("/runs/{runId}/priority")
    Mono<ResponseEntity<byte[]>> prioritise(
            Caller.Person person, @PathVariable String runId, ServerWebExchange exchange) {
        return Mono.just(runId)
                .filter(id -> ExternalId.isOf("run", id))
                .switchIfEmpty(Mono.error(Problem.notFound().asException()))
                .then(exchange.getFormData())
                .map(form -> FormState.typed(form).value("priority"))
                .flatMap(wanted -> WireName.find(RunPriority.class, wanted)
                        .map(Mono::just)
                        .orElseGet(() -> Mono.error(Problem.invalid("priority", "must be low, normal or high")
                                .asException())))
                .flatMap(priority -> runs.prioritise(person, runId, priority))
                .switchIfEmpty(Mono.error(Problem.notFound().asException()))
                .filter(waits -> waits)
                .switchIfEmpty(Mono.error(Problem.conflict(
                                "not-queued", "The run does not wait any more, so it has no place in the queue.")
                        .asException()))
                .map(done -> seeOther(Urls.run(runId)));
    }

    private Mono<ResponseEntity<byte[]>> start(PageContext shell, Caller.Person person, MatrixPage page) {
        String wanted = page.form().value("machine");
        Optional<MachineView.Summary> machine = page.machines().stream()
                .filter(m -> wanted.equals(m.workspace() + "/" + m.slug()))
                .findFirst();
        if (machine.isEmpty()) {
            return refused(shell, page, "machine", "must be one of yours");
        }
        List<String> selectors = words(page.form(), "jdks");
        Optional<String> odd = selectors.stream()
                .flatMap(s -> JdkSelectors.problem(s).stream())
                .findFirst();
        if (odd.isPresent()) {
            return refused(shell, page, "jdks", odd.get());
        }
        MatrixPart part = new MatrixPart(words(page.form(), "servers"), words(page.form(), "workloads"));
        Optional<FieldError> lack = part.lackedBy(page.matrix().spec());
        if (lack.isPresent()) {
            return refused(shell, page, lack.get().field(), lack.get().message());
        }
        RunPriority priority =
                WireName.find(RunPriority.class, page.form().value("priority")).orElse(RunPriority.NORMAL);
        return runs.create(new NewRun(page.matrix().only(part), machine.get(), selectors, null, person.actor())
                        .withPriority(priority))
                .flatMap(came -> switch (came) {
                    case CreateResult.Created created -> Mono.just(seeOther(Urls.run(created.id())));
                    case CreateResult.Refused no -> refused(shell, page, "machine", "cannot run it: " + no.reason());
                });
    }

    /** What was typed with spaces or commas between. */
    private static List<String> words(FormState form, String field) {
        return Arrays.stream(form.value(field).split("[\\s,]+", -1))
                .filter(s -> !s.isEmpty())
                .toList();
    }

    private Mono<ResponseEntity<byte[]>> refused(PageContext shell, MatrixPage page, String field, String message) {
        FormState form = page.form().refused(List.of(new FieldError(field, message)));
        return Mono.just(html.show(
                HttpStatus.UNPROCESSABLE_CONTENT,
                shell,
                new MatrixPage(page.matrix(), page.owner(), page.machines(), page.warnings(), form)));
    }
}
