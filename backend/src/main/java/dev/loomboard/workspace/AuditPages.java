package dev.loomboard.workspace;

import dev.loomboard.audit.AuditEntry;
import dev.loomboard.audit.AuditFilter;
import dev.loomboard.audit.AuditReadStore;
import dev.loomboard.kernel.Caller;
import dev.loomboard.kernel.Right;
import dev.loomboard.web.DataTwins;
import dev.loomboard.web.PageContext;
import dev.loomboard.web.PageRenderer;
import dev.loomboard.web.Problem;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import reactor.core.publisher.Mono;

/** The audit log: of a workspace for its owners, of the installation for administrators. Exports are bounded, and go on by key. */
@Controller
class AuditPages {

    private static final int PAGE = 50;
    static final int EXPORT = 5000;
    private static final List<String> CSV_HEAD =
            List.of("number", "at", "workspace", "actor", "name", "action", "subject", "detail");

    private final WorkspaceAccessService access;
    private final AuditReadStore events;
    private final PageRenderer html;
    private final DataTwins twins;

    AuditPages(WorkspaceAccessService access, AuditReadStore events, PageRenderer html, DataTwins twins) {
        this.access = access;
        this.events = events;
        this.html = html;
        this.twins = twins;
    }

    @GetMapping("/w/{workspace}/audit")
    Mono<ResponseEntity<byte[]>> ofWorkspace(
            PageContext shell,
            Caller.Person person,
            @PathVariable String workspace,
            @RequestParam Map<String, String> query) {
        return access.with(Right.AUDIT, person, workspace).flatMap(found -> shown(shell, found, query));
    }

    @GetMapping("/w/{workspace}/audit.json")
    Mono<ResponseEntity<byte[]>> jsonOfWorkspace(
            Caller.Person person, @PathVariable String workspace, @RequestParam Map<String, String> query) {
        return access.with(Right.AUDIT, person, workspace)
                .flatMap(found -> exported(found, query))
                .map(this::json);
    }

    @GetMapping("/w/{workspace}/audit.csv")
    Mono<ResponseEntity<byte[]>> csvOfWorkspace(
            Caller.Person person, @PathVariable String workspace, @RequestParam Map<String, String> query) {
        return access.with(Right.AUDIT, person, workspace)
                .flatMap(found -> exported(found, query))
                .map(this::csv);
    }

    @GetMapping("/audit")
    Mono<ResponseEntity<byte[]>> ofInstallation(
            PageContext shell, Caller.Person person, @RequestParam Map<String, String> query) {
        return administrator(person).then(Mono.defer(() -> shown(shell, null, query)));
    }

    @GetMapping("/audit.json")
    Mono<ResponseEntity<byte[]>> jsonOfInstallation(Caller.Person person, @RequestParam Map<String, String> query) {
        return administrator(person)
                .then(Mono.defer(() -> exported(null, query)))
                .map(this::json);
    }

    @GetMapping("/audit.csv")
    Mono<ResponseEntity<byte[]>> csvOfInstallation(Caller.Person person, @RequestParam Map<String, String> query) {
        return administrator(person)
                .then(Mono.defer(() -> exported(null, query)))
                .map(this::csv);
    }

    private Mono<ResponseEntity<byte[]>> shown(
            PageContext shell, @Nullable WorkspaceView workspace, Map<String, String> query) {
        AuditFilter filter = AuditFilter.of(query);
        return filter.form().isRefused()
                ? Mono.just(html.show(
                        HttpStatus.UNPROCESSABLE_CONTENT, shell, new AuditPage(workspace, filter, List.of(), null)))
                : page(workspace, filter, PAGE).map(page -> html.show(shell, page));
    }

    private Mono<AuditPage> exported(@Nullable WorkspaceView workspace, Map<String, String> query) {
        AuditFilter filter = AuditFilter.of(query);
        return filter.form().isRefused()
                ? Mono.error(() -> Problem.invalid(filter.form().problems()).asException())
                : page(workspace, filter, EXPORT);
    }

    /** Asks for one row more, to see whether there is another page. */
    private Mono<AuditPage> page(@Nullable WorkspaceView workspace, AuditFilter filter, int most) {
        return events.list(workspace == null ? null : workspace.key(), filter, most + 1)
                .map(found -> {
                    boolean more = found.size() > most;
                    List<AuditEntry> page = more ? List.copyOf(found.subList(0, most)) : found;
                    return new AuditPage(
                            workspace, filter, page, more ? page.getLast().key() : null);
                });
    }

    private ResponseEntity<byte[]> json(AuditPage page) {
        return twins.json("loomboard.audit/1", page.twin());
    }

    private ResponseEntity<byte[]> csv(AuditPage page) {
        return twins.csv(CSV_HEAD, page.events().stream().map(AuditPages::row).toList());
    }

    private static List<@Nullable Object> row(AuditEntry event) {
        String detail = new TreeMap<>(event.detail())
                .entrySet().stream().map(d -> d.getKey() + "=" + d.getValue()).collect(Collectors.joining("; "));
        return Arrays.asList(
                event.key(),
                event.at(),
                event.workspace(),
                event.actor(),
                event.name(),
                event.action(),
                event.subject(),
                detail);
    }

    private static Mono<Void> administrator(Caller.Person person) {
        return person.administrator()
                ? Mono.empty()
                : Mono.error(() -> Problem.administratorsOnly(
                                "The log of the whole installation is for its administrators. Each workspace has its own log on its page.")
                        .asException());
    }
}
