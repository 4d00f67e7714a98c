package dev.loomboard.registration;

import dev.loomboard.kernel.Caller;
import dev.loomboard.kernel.Right;
import dev.loomboard.machine.MachineStore;
import dev.loomboard.machine.MachineView;
import dev.loomboard.web.PageContext;
import dev.loomboard.web.PageRenderer;
import dev.loomboard.web.Problem;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import reactor.core.publisher.Mono;

/** A new key for a machine, made by an owner and shown once. */
@Controller
class KeyPages {

    private final MachineStore machines;
    private final KeyService keys;
    private final PageRenderer html;

    KeyPages(MachineStore machines, KeyService keys, PageRenderer html) {
        this.machines = machines;
        this.keys = keys;
        this.html = html;
    }

    @PostMapping("/w/{workspace}/machines/{slug}/key")
    Mono<ResponseEntity<byte[]>> newKey(
            PageContext shell, Caller.Person person, @PathVariable String workspace, @PathVariable String slug) {
        return machines.find(person, workspace, slug)
                .switchIfEmpty(Mono.error(Problem.notFound().asException()))
                .filter(machine -> person.may(Right.MACHINES, machine.workspaceKey()))
                .switchIfEmpty(Mono.error(Problem.of(
                                403,
                                "forbidden",
                                "Not allowed",
                                "Only an owner of workspace " + workspace + " may make keys for its machines.")
                        .asException()))
                .flatMap(machine -> keys.replace(machine, person.actor())
                        .switchIfEmpty(Mono.error(Problem.conflict(
                                        "key-revoked",
                                        "The key of this machine was revoked for good. Register the machine anew.")
                                .asException()))
                        .map(made -> shown(shell, machine, made)));
    }

    private ResponseEntity<byte[]> shown(PageContext shell, MachineView.Summary machine, KeyService.NewKey made) {
        var page = new NewKeyPage(
                machine.workspace(),
                machine.slug(),
                machine.name(),
                "loomboard-agent rotate-key --key " + made.key().value(),
                made.state());
        return html.showNotStored(HttpStatus.OK, shell, page);
    }
}
