package dev.loomboard.schedulepages;

import static dev.loomboard.web.PageRenderer.seeOther;

import dev.loomboard.kernel.Caller;
import dev.loomboard.kernel.Right;
import dev.loomboard.schedule.Firing;
import dev.loomboard.schedule.FiringService;
import dev.loomboard.schedule.Schedule;
import dev.loomboard.schedule.ScheduleControlService;
import dev.loomboard.web.PageContext;
import dev.loomboard.web.PageRenderer;
import dev.loomboard.web.Problem;
import dev.loomboard.web.Urls;
import java.time.Clock;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.ResponseBody;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/** The schedules that a caller may see, and what their owner does with one. The forms are {@link ScheduleFormPages}. */
@Controller
class SchedulePages {

    private final ScheduleReadService read;
    private final ScheduleService service;
    private final ScheduleControlService controls;
    private final FiringService firings;
    private final PageRenderer html;
    private final Clock clock;

    SchedulePages(
            ScheduleReadService read,
            ScheduleService service,
            ScheduleControlService controls,
            FiringService firings,
            PageRenderer html,
            Clock clock) {
        this.read = read;
        this.service = service;
        this.controls = controls;
        this.firings = firings;
        this.html = html;
        this.clock = clock;
    }

    @GetMapping("/schedules")
    Mono<ResponseEntity<byte[]>> list(PageContext shell, Caller caller) {
        return read.list(caller).map(lines -> html.show(shell, new ScheduleListPage(lines, clock.instant())));
    }

    @GetMapping("/schedules.json")
    @ResponseBody
    Mono<ScheduleJson.All> listJson(Caller caller) {
        return read.list(caller).map(ScheduleJson::of);
    }

    @GetMapping("/w/{workspace}/schedules/{slug}")
    Mono<ResponseEntity<byte[]>> schedule(
            PageContext shell, Caller caller, @PathVariable String workspace, @PathVariable String slug) {
        return found(caller, workspace, slug).map(view -> show(HttpStatus.OK, shell, caller, view, null));
    }

    @GetMapping("/w/{workspace}/schedules/{slug}.json")
    @ResponseBody
    Mono<ScheduleJson.One> scheduleJson(Caller caller, @PathVariable String workspace, @PathVariable String slug) {
        return found(caller, workspace, slug).map(ScheduleJson::of);
    }

    @PostMapping("/w/{workspace}/schedules/{slug}/pause")
    Mono<ResponseEntity<byte[]>> pause(
            Caller.Person person, @PathVariable String workspace, @PathVariable String slug) {
        return setState(person, workspace, slug, Schedule.State.PAUSED);
    }

    @PostMapping("/w/{workspace}/schedules/{slug}/resume")
    Mono<ResponseEntity<byte[]>> resume(
            Caller.Person person, @PathVariable String workspace, @PathVariable String slug) {
        return setState(person, workspace, slug, Schedule.State.ACTIVE);
    }

    @PostMapping("/w/{workspace}/schedules/{slug}/run")
    Mono<ResponseEntity<byte[]>> runNow(
            PageContext shell, Caller.Person person, @PathVariable String workspace, @PathVariable String slug) {
        return owned(person, workspace, slug)
                .flatMap(view -> firings.runNow(view.schedule().id(), person).map(firing -> switch (firing) {
                    case Firing.Queued queued -> seeOther(Urls.run(queued.run()));
                    case Firing.Skipped skipped ->
                        show(
                                HttpStatus.UNPROCESSABLE_CONTENT,
                                shell,
                                person,
                                view,
                                "No run was queued. " + skipped.reason());
                    case Firing.NotDue gone -> seeOther(Urls.schedules());
                }));
    }

    @PostMapping("/w/{workspace}/schedules/{slug}/control")
    Mono<ResponseEntity<byte[]>> control(
            PageContext shell,
            Caller.Person person,
            ServerWebExchange exchange,
            @PathVariable String workspace,
            @PathVariable String slug) {
        return Mono.zip(exchange.getFormData(), owned(person, workspace, slug)).flatMap(both -> {
            ScheduleView view = both.getT2();
            String asked = Objects.requireNonNullElse(both.getT1().getFirst("control"), "");
            return controls.change(person, view.schedule(), asked)
                    .map(refusal -> refusal.isEmpty()
                            ? seeOther(Urls.schedule(workspace, slug))
                            : show(
                                    HttpStatus.UNPROCESSABLE_CONTENT,
                                    shell,
                                    person,
                                    view,
                                    "The control stays as it was. " + refusal.get()));
        });
    }

    @PostMapping("/w/{workspace}/schedules/{slug}/delete")
    Mono<ResponseEntity<byte[]>> delete(
            Caller.Person person, @PathVariable String workspace, @PathVariable String slug) {
        return owned(person, workspace, slug)
                .flatMap(view -> service.delete(person, view.schedule()))
                .thenReturn(seeOther(Urls.schedules()));
    }

    private Mono<ResponseEntity<byte[]>> setState(
            Caller.Person person, String workspace, String slug, Schedule.State state) {
        return owned(person, workspace, slug)
                .flatMap(view -> service.setState(person, view.schedule(), state))
                .thenReturn(seeOther(Urls.schedule(workspace, slug)));
    }

    private ResponseEntity<byte[]> show(
            HttpStatus status, PageContext shell, Caller caller, ScheduleView view, @Nullable String refusal) {
        boolean mayChange = caller.may(Right.SCHEDULES, view.schedule().workspaceKey());
        return html.show(status, shell, new SchedulePage(view, clock.instant(), mayChange, refusal));
    }

    private Mono<ScheduleView> found(Caller caller, String workspace, String slug) {
        return read.view(caller, workspace, slug)
                .switchIfEmpty(Mono.error(() -> Problem.notFound().asException()));
    }

    private Mono<ScheduleView> owned(Caller.Person person, String workspace, String slug) {
        return found(person, workspace, slug)
                .filter(view -> person.may(Right.SCHEDULES, view.schedule().workspaceKey()))
                .switchIfEmpty(Mono.error(() -> ScheduleFormPages.onlyOwners().asException()));
    }
}
