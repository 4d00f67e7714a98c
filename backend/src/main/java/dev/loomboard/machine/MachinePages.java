package dev.loomboard.machine;

import static dev.loomboard.web.PageRenderer.seeOther;

import dev.loomboard.cell.Visibility;
import dev.loomboard.kernel.Caller;
import dev.loomboard.kernel.WireName;
import dev.loomboard.picture.ChartPicture;
import dev.loomboard.view.Chart;
import dev.loomboard.web.DataTwins;
import dev.loomboard.web.FormState;
import dev.loomboard.web.PageContext;
import dev.loomboard.web.PageRenderer;
import dev.loomboard.web.PageTwin;
import dev.loomboard.web.Problem;
import dev.loomboard.web.Urls;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseBody;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/** Machines: the list, one of them, and what its owners may do with it. */
@Controller
class MachinePages {

    private final MachineStore machines;
    private final MachineViewService views;
    private final UpkeepService upkeep;
    private final PageRenderer html;
    private final DataTwins twins;
    private final Clock clock;

    MachinePages(
            MachineStore machines,
            MachineViewService views,
            UpkeepService upkeep,
            PageRenderer html,
            DataTwins twins,
            Clock clock) {
        this.machines = machines;
        this.views = views;
        this.upkeep = upkeep;
        this.html = html;
        this.twins = twins;
        this.clock = clock;
    }

    record MachinesJson(String schema, List<MachineView.Summary> machines) implements PageTwin {}

    record MachineJson(String schema, MachineView machine, boolean online, List<Chart> charts) implements PageTwin {}

    @GetMapping("/machines")
    Mono<ResponseEntity<byte[]>> list(PageContext shell, Caller caller) {
        return machines.visible(caller)
                .collectList()
                .map(all -> html.show(shell, new MachineListPage(all, clock.instant())));
    }

    @GetMapping("/machines.json")
    @ResponseBody
    Mono<MachinesJson> listJson(Caller caller) {
        return machines.visible(caller).collectList().map(all -> new MachinesJson("loomboard.machines/1", all));
    }

    @GetMapping("/w/{workspace}/machines/{slug}")
    Mono<ResponseEntity<byte[]>> machine(
            PageContext shell, Caller caller, @PathVariable String workspace, @PathVariable String slug) {
        return views.find(caller, workspace, slug)
                .flatMap(machine -> views.page(caller, machine, FormState.with(Map.of())))
                .map(page -> html.show(shell, page));
    }

    @GetMapping("/w/{workspace}/machines/{slug}.json")
    @ResponseBody
    Mono<MachineJson> machineJson(Caller caller, @PathVariable String workspace, @PathVariable String slug) {
        return views.find(caller, workspace, slug)
                .flatMap(machine -> views.view(caller, machine))
                .flatMap(view -> views.charts(caller, view)
                        .map(charts -> new MachineJson(
                                "loomboard.machine/1", view, view.summary().online(clock.instant()), charts)));
    }

    /** A chart of its noise, the first unless {@code chart} names another. */
    @GetMapping("/w/{workspace}/machines/{slug}.svg")
    Mono<ResponseEntity<byte[]>> machineSvg(
            PageContext shell,
            Caller caller,
            @PathVariable String workspace,
            @PathVariable String slug,
            @RequestParam(required = false) @Nullable String chart) {
        return views.find(caller, workspace, slug)
                .flatMap(machine -> views.view(caller, machine))
                .flatMap(view -> views.charts(caller, view)
                        .map(charts -> twins.svg(ChartPicture.of(
                                charts, chart, view.summary().name(), shell.address(Urls.machine(workspace, slug))))));
    }

    @PostMapping("/w/{workspace}/machines/{slug}/revoke")
    Mono<ResponseEntity<byte[]>> revoke(
            Caller.Person person, @PathVariable String workspace, @PathVariable String slug) {
        return change(person, workspace, slug, machine -> upkeep.revoke(machine, person.actor()));
    }

    @PostMapping("/w/{workspace}/machines/{slug}/visibility")
    Mono<ResponseEntity<byte[]>> visibility(
            Caller.Person person,
            @PathVariable String workspace,
            @PathVariable String slug,
            ServerWebExchange exchange) {
        return exchange.getFormData()
                .map(form -> FormState.typed(form).value("visibility"))
                .flatMap(wanted -> change(person, workspace, slug, machine -> setVisibility(machine, wanted, person)));
    }

    @PostMapping("/w/{workspace}/machines/{slug}/reruns")
    Mono<ResponseEntity<byte[]>> reruns(
            Caller.Person person,
            @PathVariable String workspace,
            @PathVariable String slug,
            ServerWebExchange exchange) {
        return exchange.getFormData()
                .map(form -> FormState.typed(form).value("reruns"))
                .flatMap(wanted -> change(person, workspace, slug, machine -> setReruns(machine, wanted, person)));
    }

    /** An administrator's, whosever the machine is; one that he may not see is not found, and ranks nowhere in public. */
    @PostMapping("/w/{workspace}/machines/{slug}/admission")
    Mono<ResponseEntity<byte[]>> admission(
            Caller.Person person,
            @PathVariable String workspace,
            @PathVariable String slug,
            ServerWebExchange exchange) {
        return Mono.zip(
                        exchange.getFormData().map(form -> FormState.typed(form).value("admitted")),
                        views.find(person, workspace, slug))
                .flatMap(both -> person.administrator()
                        ? setAdmission(both.getT2(), both.getT1(), person)
                        : Mono.error(Problem.administratorsOnly(
                                        "Only an administrator admits machines to public ranks. Ask one of them.")
                                .asException()))
                .thenReturn(seeOther(Urls.machine(workspace, slug)));
    }

    private Mono<Void> setAdmission(MachineView.Summary machine, String wanted, Caller.Person person) {
        return wanted.equals("yes") || wanted.equals("no")
                ? upkeep.setAdmission(machine, wanted.equals("yes"), person.actor())
                : Mono.error(Problem.invalid("admitted", "must be yes or no").asException());
    }

    private Mono<Void> setReruns(MachineView.Summary machine, String wanted, Caller.Person person) {
        return wanted.equals("on") || wanted.equals("off")
                ? upkeep.setReruns(machine, wanted.equals("on"), person.actor())
                : Mono.error(Problem.invalid("reruns", "must be on or off").asException());
    }

    private Mono<Void> setVisibility(MachineView.Summary machine, String typed, Caller.Person person) {
        return WireName.find(Visibility.class, typed)
                .map(visibility -> upkeep.setVisibility(machine, visibility, person.actor()))
                .orElseGet(() -> Mono.error(Problem.invalid("visibility", "must be public or private")
                        .asException()));
    }

    private Mono<ResponseEntity<byte[]>> change(
            Caller.Person person, String workspace, String slug, Function<MachineView.Summary, Mono<Void>> change) {
        return views.owned(person, workspace, slug)
                .flatMap(machine -> change.apply(machine).thenReturn(machine))
                .map(machine -> seeOther(Urls.machine(workspace, slug)));
    }
}
