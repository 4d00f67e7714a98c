package dev.loomboard.machine;

import static dev.loomboard.web.PageRenderer.seeOther;

import dev.loomboard.inventory.Labels;
import dev.loomboard.kernel.Caller;
import dev.loomboard.web.FormState;
import dev.loomboard.web.PageContext;
import dev.loomboard.web.PageRenderer;
import dev.loomboard.web.Problem;
import dev.loomboard.web.Problem.FieldError;
import dev.loomboard.web.Urls;
import java.util.List;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/** An owner's changes to a machine that measures: to let it drain, what it is called, and its labels. */
@Controller
class UpkeepPages {

    private final MachineViewService views;
    private final UpkeepService upkeep;
    private final PageRenderer html;

    UpkeepPages(MachineViewService views, UpkeepService upkeep, PageRenderer html) {
        this.views = views;
        this.upkeep = upkeep;
        this.html = html;
    }

    @PostMapping("/w/{workspace}/machines/{slug}/drain")
    Mono<ResponseEntity<byte[]>> drain(
            Caller.Person person,
            @PathVariable String workspace,
            @PathVariable String slug,
            ServerWebExchange exchange) {
        return form(exchange)
                .flatMap(form -> views.owned(person, workspace, slug)
                        .flatMap(machine -> drain(machine, form.value("drain"), person))
                        .thenReturn(seeOther(Urls.machine(workspace, slug))));
    }

    private Mono<Void> drain(MachineView.Summary machine, String wanted, Caller.Person person) {
        return wanted.equals("on") || wanted.equals("off")
                ? upkeep.drain(machine, wanted.equals("on"), person.actor())
                : Mono.error(Problem.invalid("drain", "must be on or off").asException());
    }

    @PostMapping("/w/{workspace}/machines/{slug}/name")
    Mono<ResponseEntity<byte[]>> rename(
            PageContext shell,
            Caller.Person person,
            @PathVariable String workspace,
            @PathVariable String slug,
            ServerWebExchange exchange) {
        return form(exchange)
                .flatMap(form -> views.owned(person, workspace, slug).flatMap(machine -> {
                    MachineName name = new MachineName(form.value("name"));
                    List<FieldError> problems = name.problems();
                    return problems.isEmpty()
                            ? upkeep.rename(machine, name.name(), person.actor())
                                    .thenReturn(seeOther(Urls.machine(workspace, slug)))
                            : refused(shell, person, machine, form.refused(problems));
                }));
    }

    @PostMapping("/w/{workspace}/machines/{slug}/labels")
    Mono<ResponseEntity<byte[]>> label(
            PageContext shell,
            Caller.Person person,
            @PathVariable String workspace,
            @PathVariable String slug,
            ServerWebExchange exchange) {
        return form(exchange)
                .flatMap(form -> views.owned(person, workspace, slug).flatMap(machine -> {
                    List<String> labels = Labels.typed(form.value("labels"));
                    String problem = Labels.problem(labels);
                    return problem == null
                            ? upkeep.label(machine, labels, person.actor())
                                    .thenReturn(seeOther(Urls.machine(workspace, slug)))
                            : refused(shell, person, machine, form.refused(List.of(new FieldError("labels", problem))));
                }));
    }

    private Mono<ResponseEntity<byte[]>> refused(
            PageContext shell, Caller.Person person, MachineView.Summary machine, FormState form) {
        return views.page(person, machine, form).map(page -> html.show(HttpStatus.UNPROCESSABLE_CONTENT, shell, page));
    }

    private static Mono<FormState> form(ServerWebExchange exchange) {
        return exchange.getFormData().map(FormState::typed);
    }
}
