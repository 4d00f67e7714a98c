package dev.loomboard.matrix;

import static dev.loomboard.web.PageRenderer.seeOther;

import dev.loomboard.audit.AuditEvent;
import dev.loomboard.audit.AuditStore;
import dev.loomboard.cell.Visibility;
import dev.loomboard.kernel.Caller;
import dev.loomboard.kernel.Right;
import dev.loomboard.kernel.WireName;
import dev.loomboard.membership.WorkspaceStore;
import dev.loomboard.membership.WorkspaceStore.Workspace;
import dev.loomboard.quota.QuotaKind;
import dev.loomboard.quota.QuotaService;
import dev.loomboard.visibility.CoverService;
import dev.loomboard.web.FormState;
import dev.loomboard.web.PageContext;
import dev.loomboard.web.PageRenderer;
import dev.loomboard.web.PageTwin;
import dev.loomboard.web.Problem;
import dev.loomboard.web.Problem.FieldError;
import dev.loomboard.web.Urls;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Controller;
import org.springframework.transaction.reactive.TransactionalOperator;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseBody;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/** Matrices: the list, one of them, and writing them as YAML. */
@Controller
class MatrixPages {

    private static final String FIELD = "source";

    private final MatrixStore matrices;
    private final MatrixPageService pages;
    private final WorkspaceStore workspaces;
    private final QuotaService quotas;
    private final CoverService cover;
    private final AuditStore audit;
    private final TransactionalOperator transaction;
    private final PageRenderer html;
    private final Clock clock;

    MatrixPages(
            MatrixStore matrices,
            MatrixPageService pages,
            WorkspaceStore workspaces,
            QuotaService quotas,
            CoverService cover,
            AuditStore audit,
            TransactionalOperator transaction,
            PageRenderer html,
            Clock clock) {
        this.matrices = matrices;
        this.pages = pages;
        this.workspaces = workspaces;
        this.quotas = quotas;
        this.cover = cover;
        this.audit = audit;
        this.transaction = transaction;
        this.html = html;
        this.clock = clock;
    }

    record MatricesJson(String schema, List<Matrix> matrices) implements PageTwin {}

    record MatrixJson(String schema, Matrix matrix) implements PageTwin {}

    @GetMapping("/matrices")
    Mono<ResponseEntity<byte[]>> list(PageContext shell, Caller caller) {
        return matrices.listed(caller).collectList().map(all -> html.show(shell, new MatrixListPage(all)));
    }

    @GetMapping("/matrices.json")
    @ResponseBody
    Mono<MatricesJson> listJson(Caller caller) {
        return matrices.listed(caller).collectList().map(all -> new MatricesJson("loomboard.matrices/1", all));
    }

    @GetMapping("/w/{workspace}/matrices/{slug}")
    Mono<ResponseEntity<byte[]>> matrix(
            PageContext shell, Caller caller, @PathVariable String workspace, @PathVariable String slug) {
        return pages.page(caller, workspace, slug, FormState.with(Map.of())).map(page -> html.show(shell, page));
    }

    @GetMapping("/w/{workspace}/matrices/{slug}.json")
    @ResponseBody
    Mono<MatrixJson> matrixJson(Caller caller, @PathVariable String workspace, @PathVariable String slug) {
        return matrices.find(caller, workspace, slug)
                .switchIfEmpty(Mono.error(Problem.notFound().asException()))
                .map(matrix -> new MatrixJson("loomboard.matrix-page/1", matrix));
    }

    /** @param from workspace and slug of one that the new one begins as a copy of, such as {@code main/starter}; empty: none */
    @GetMapping("/matrices/new")
    Mono<ResponseEntity<byte[]>> newForm(
            PageContext shell, Caller.Person person, @RequestParam(defaultValue = "") String from) {
        int slash = from.indexOf('/');
        Mono<String> source = slash < 0
                ? Mono.just("")
                : matrices.find(person, from.substring(0, slash), from.substring(slash + 1))
                        .switchIfEmpty(Mono.error(Problem.notFound().asException()))
                        .map(Matrix::source);
        return owned(person)
                .zipWith(source)
                .map(both -> html.show(
                        shell,
                        new MatrixFormPage(
                                null,
                                FormState.with(Map.of("visibility", "public", FIELD, both.getT2())),
                                List.of(),
                                both.getT1())));
    }

    @PostMapping("/matrices/new")
    Mono<ResponseEntity<byte[]>> create(PageContext shell, Caller.Person person, ServerWebExchange exchange) {
        return Mono.zip(exchange.getFormData().map(FormState::typed), owned(person))
                .flatMap(both -> create(shell, person, both.getT1(), both.getT2()));
    }

    @GetMapping("/w/{workspace}/matrices/{slug}/edit")
    Mono<ResponseEntity<byte[]>> editForm(
            PageContext shell, Caller.Person person, @PathVariable String workspace, @PathVariable String slug) {
        return mine(person, workspace, slug)
                .map(matrix -> html.show(
                        shell,
                        new MatrixFormPage(
                                matrix, FormState.with(Map.of(FIELD, matrix.source())), List.of(), List.of())));
    }

    @PostMapping("/w/{workspace}/matrices/{slug}/edit")
    Mono<ResponseEntity<byte[]>> edit(
            PageContext shell,
            Caller.Person person,
            @PathVariable String workspace,
            @PathVariable String slug,
            ServerWebExchange exchange) {
        return Mono.zip(exchange.getFormData().map(FormState::typed), mine(person, workspace, slug))
                .flatMap(both -> edit(shell, person, both.getT1(), both.getT2()));
    }

    private Mono<ResponseEntity<byte[]>> create(
            PageContext shell, Caller.Person person, FormState form, List<Workspace> mine) {
        Optional<Workspace> into = Workspace.chosen(mine, form.value("workspace"));
        if (into.isEmpty()) {
            return refused(shell, null, form, List.of(new FieldError("workspace", "must be one of yours")), mine);
        }
        Workspace workspace = into.get();
        Visibility visibility =
                WireName.find(Visibility.class, form.value("visibility")).orElse(Visibility.PUBLIC);
        return switch (MatrixReader.read(form.value(FIELD))) {
            case MatrixReader.Refused refused -> refused(shell, null, form, refused.problems(), mine);
            case MatrixReader.Read read ->
                refusedProtocol(shell, null, form, read.spec(), mine)
                        .switchIfEmpty(Mono.defer(() -> add(shell, person, form, mine, workspace, visibility, read)));
        };
    }

    private Mono<ResponseEntity<byte[]>> add(
            PageContext shell,
            Caller.Person person,
            FormState form,
            List<Workspace> mine,
            Workspace workspace,
            Visibility visibility,
            MatrixReader.Read read) {
        return quotas.full(workspace.key(), QuotaKind.MATRICES)
                .flatMap(full -> refused(shell, null, form, List.of(new FieldError("workspace", full.refusal())), mine))
                .switchIfEmpty(Mono.defer(() -> addNamed(person, form, workspace, visibility, read)))
                .as(transaction::transactional)
                .switchIfEmpty(Mono.defer(() -> refused(
                        shell,
                        null,
                        form,
                        List.of(new FieldError(
                                "name",
                                "is taken: the workspace has a matrix "
                                        + read.spec().name() + "; edit that, or choose another name")),
                        mine)));
    }

    /** Empty: the name is taken. */
    private Mono<ResponseEntity<byte[]>> addNamed(
            Caller.Person person, FormState form, Workspace workspace, Visibility visibility, MatrixReader.Read read) {
        return matrices.add(workspace.key(), read.spec(), form.value(FIELD), visibility)
                .delayUntil(id -> cover.matrixAdded(workspace.key()))
                .flatMap(id -> audit.append(new AuditEvent(
                                workspace.key(),
                                person.actor(),
                                "matrix.create",
                                id,
                                Map.of("matrix", read.spec().name())))
                        .thenReturn(seeOther(
                                Urls.matrix(workspace.slug(), read.spec().name()))));
    }

    private Mono<ResponseEntity<byte[]>> edit(PageContext shell, Caller.Person person, FormState form, Matrix matrix) {
        return switch (MatrixReader.read(form.value(FIELD))) {
            case MatrixReader.Refused refused -> refused(shell, matrix, form, refused.problems(), List.of());
            case MatrixReader.Read read
            when !read.spec().name().equals(matrix.slug()) ->
                refused(
                        shell,
                        matrix,
                        form,
                        List.of(new FieldError(
                                "name",
                                "must stay " + matrix.slug() + ": histories and schedules know the matrix by it")),
                        List.of());
            case MatrixReader.Read read ->
                refusedProtocol(shell, matrix, form, read.spec(), List.of())
                        .switchIfEmpty(Mono.defer(() -> change(person, matrix, read.spec(), form.value(FIELD))));
        };
    }

    private Mono<ResponseEntity<byte[]>> change(Caller.Person person, Matrix matrix, MatrixSpec spec, String source) {
        return matrices.change(matrix, spec, source, clock.instant())
                .then(audit.append(
                        new AuditEvent(matrix.workspaceKey(), person.actor(), "matrix.change", matrix.id(), Map.of())))
                .as(transaction::transactional)
                .thenReturn(seeOther(Urls.matrix(matrix.workspace(), matrix.slug())));
    }

    /** Empty: its protocol's name stands for these phases, or for none yet. */
    private Mono<ResponseEntity<byte[]>> refusedProtocol(
            PageContext shell, @Nullable Matrix matrix, FormState form, MatrixSpec spec, List<Workspace> mine) {
        return matrices.protocolDiffers(spec, matrix == null ? 0 : matrix.key())
                .filter(differs -> differs)
                .flatMap(differs -> refused(
                        shell,
                        matrix,
                        form,
                        List.of(new FieldError(
                                "protocol",
                                spec.protocol()
                                        + " stands for other phases already, here or elsewhere: results of one name are"
                                        + " compared. Name these otherwise, or raise the version")),
                        mine));
    }

    private Mono<ResponseEntity<byte[]>> refused(
            PageContext shell,
            @Nullable Matrix matrix,
            FormState form,
            List<FieldError> problems,
            List<Workspace> mine) {
        return Mono.just(html.show(
                HttpStatus.UNPROCESSABLE_CONTENT,
                shell,
                new MatrixFormPage(matrix, form.refused(problems), problems, mine)));
    }

    private Mono<Matrix> mine(Caller.Person person, String workspace, String slug) {
        return matrices.find(person, workspace, slug)
                .switchIfEmpty(Mono.error(Problem.notFound().asException()))
                .filter(matrix -> person.may(Right.MATRICES, matrix.workspaceKey()))
                .switchIfEmpty(Mono.error(Problem.of(
                                403,
                                "forbidden",
                                "Not allowed",
                                "Only an owner of workspace " + workspace + " may change its matrices.")
                        .asException()));
    }

    private Mono<List<Workspace>> owned(Caller.Person person) {
        return workspaces
                .where(person, Right.MATRICES)
                .filter(mine -> !mine.isEmpty())
                .switchIfEmpty(Mono.error(Problem.of(403, "forbidden", "Not allowed", "You own no workspace.")
                        .asException()));
    }
}
