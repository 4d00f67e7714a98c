package dev.loomboard.schedulepages;

import static dev.loomboard.web.PageRenderer.seeOther;

import dev.loomboard.cron.Preview;
import dev.loomboard.kernel.Caller;
import dev.loomboard.kernel.Right;
import dev.loomboard.schedule.NightForecast;
import dev.loomboard.schedule.NightForecastService;
import dev.loomboard.schedule.Schedule;
import dev.loomboard.schedule.ScheduleControlService;
import dev.loomboard.schedule.ScheduleStore;
import dev.loomboard.web.PageContext;
import dev.loomboard.web.PageRenderer;
import dev.loomboard.web.Problem;
import dev.loomboard.web.Urls;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Controller;
import org.springframework.util.MultiValueMap;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseBody;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/** Making and changing schedules. Without scripts a button shows the preview; with them it follows the typing. */
@Controller
class ScheduleFormPages {

    private final ScheduleStore schedules;
    private final ScheduleService service;
    private final ScheduleControlService controls;
    private final NightForecastService nights;
    private final PageRenderer html;

    ScheduleFormPages(
            ScheduleStore schedules,
            ScheduleService service,
            ScheduleControlService controls,
            NightForecastService nights,
            PageRenderer html) {
        this.schedules = schedules;
        this.service = service;
        this.controls = controls;
        this.nights = nights;
        this.html = html;
    }

    @GetMapping("/schedules/new")
    Mono<ResponseEntity<byte[]>> newForm(
            PageContext shell,
            Caller.Person person,
            @RequestParam(defaultValue = "") String matrix,
            @RequestParam(defaultValue = "") String machine) {
        return owner(person)
                .flatMap(service::options)
                .flatMap(options -> show(
                        HttpStatus.OK, shell, ScheduleForm.blank().about(options, matrix, machine), options, null));
    }

    @GetMapping("/schedules/new.json")
    @ResponseBody
    Mono<ScheduleJson.Options> newJson(Caller.Person person) {
        return owner(person).flatMap(service::options).map(ScheduleJson::of);
    }

    @PostMapping("/schedules/new")
    Mono<ResponseEntity<byte[]>> create(PageContext shell, Caller.Person person, ServerWebExchange exchange) {
        return owner(person)
                .then(Mono.zip(exchange.getFormData(), service.options(person)))
                .flatMap(both -> {
                    ScheduleForm form = typed(both.getT1());
                    FormOptions options = both.getT2();
                    return isPreview(both.getT1())
                            ? previewed(shell, form, options, null)
                            : service.create(person, form, options)
                                    .flatMap(saved -> answer(shell, saved, options, null));
                });
    }

    @GetMapping("/w/{workspace}/schedules/{slug}/edit")
    Mono<ResponseEntity<byte[]>> editForm(
            PageContext shell, Caller.Person person, @PathVariable String workspace, @PathVariable String slug) {
        return owned(person, workspace, slug)
                .flatMap(schedule -> service.options(schedule)
                        .flatMap(options -> show(HttpStatus.OK, shell, ScheduleForm.of(schedule), options, schedule)));
    }

    @PostMapping("/w/{workspace}/schedules/{slug}/edit")
    Mono<ResponseEntity<byte[]>> change(
            PageContext shell,
            Caller.Person person,
            ServerWebExchange exchange,
            @PathVariable String workspace,
            @PathVariable String slug) {
        return owned(person, workspace, slug)
                .flatMap(schedule -> Mono.zip(exchange.getFormData(), service.options(schedule))
                        .flatMap(both -> {
                            ScheduleForm form = typed(both.getT1());
                            FormOptions options = both.getT2();
                            return isPreview(both.getT1())
                                    ? previewed(shell, form, options, schedule)
                                    : service.change(person, schedule, form, options)
                                            .flatMap(saved -> answer(shell, saved, options, schedule));
                        }));
    }

    /** The part of the form that follows the typing. */
    @GetMapping("/schedules/preview")
    Mono<ResponseEntity<byte[]>> preview(
            PageContext shell, Caller.Person person, @RequestParam MultiValueMap<String, String> query) {
        return preview(person, query).map(preview -> html.show(shell, preview));
    }

    @GetMapping("/schedules/preview.json")
    @ResponseBody
    Mono<ScheduleJson.Previewed> previewJson(Caller.Person person, @RequestParam MultiValueMap<String, String> query) {
        return preview(person, query).map(ScheduleJson::of);
    }

    /** Of the schedule that is being changed, which the form names, or of a new one. */
    private Mono<PreviewPage> preview(Caller.Person person, MultiValueMap<String, String> query) {
        Mono<Optional<Schedule>> changed = Mono.justOrEmpty(query.getFirst("schedule"))
                .flatMap(schedules::byId)
                .filter(schedule -> person.may(Right.SCHEDULES, schedule.workspaceKey()))
                .map(Optional::of)
                .defaultIfEmpty(Optional.empty());
        return Mono.zip(service.options(person), changed)
                .flatMap(
                        both -> preview(typed(query), both.getT1(), both.getT2().orElse(null)));
    }

    private Mono<PreviewPage> preview(ScheduleForm form, FormOptions options, @Nullable Schedule schedule) {
        Preview times = service.preview(form);
        var matrix = options.matrix(form.matrix());
        var machine = options.machine(form.machine());
        if (matrix.isEmpty() || machine.isEmpty()) {
            return Mono.just(new PreviewPage(times, null));
        }
        Mono<Optional<NightForecast>> night = nights.of(
                        matrix.get(),
                        machine.get(),
                        form.selectors(),
                        form.rules().rules().mostHours(),
                        schedule)
                .map(Optional::of)
                .defaultIfEmpty(Optional.empty());
        return Mono.zip(
                        controls.sentence(matrix, machine, form.selectors(), schedule)
                                .map(times::with)
                                .defaultIfEmpty(times),
                        night)
                .map(both -> new PreviewPage(both.getT1(), both.getT2().orElse(null)));
    }

    private Mono<ResponseEntity<byte[]>> answer(
            PageContext shell, Saved saved, FormOptions options, @Nullable Schedule schedule) {
        return switch (saved) {
            case Saved.Done done -> Mono.just(seeOther(Urls.schedule(done.workspace(), done.slug())));
            case Saved.Refused refused ->
                show(HttpStatus.UNPROCESSABLE_CONTENT, shell, refused.form(), options, schedule);
            case Saved.Full full -> show(HttpStatus.UNPROCESSABLE_CONTENT, shell, full.form(), options, schedule);
        };
    }

    /** The button for those without scripts: everything typed stays, and nothing is said of what is still empty. */
    private Mono<ResponseEntity<byte[]>> previewed(
            PageContext shell, ScheduleForm form, FormOptions options, @Nullable Schedule schedule) {
        return show(HttpStatus.OK, shell, service.timesChecked(form), options, schedule);
    }

    private Mono<ResponseEntity<byte[]>> show(
            HttpStatus status, PageContext shell, ScheduleForm form, FormOptions options, @Nullable Schedule schedule) {
        return preview(form, options, schedule)
                .map(found -> html.show(
                        status, shell, new ScheduleFormPage(form, options, found.preview(), found.night(), schedule)));
    }

    private Mono<Schedule> owned(Caller.Person person, String workspace, String slug) {
        return schedules
                .find(person, workspace, slug)
                .switchIfEmpty(Mono.error(() -> Problem.notFound().asException()))
                .filter(schedule -> person.may(Right.SCHEDULES, schedule.workspaceKey()))
                .switchIfEmpty(Mono.error(() -> onlyOwners().asException()));
    }

    private static Mono<Caller.Person> owner(Caller.Person person) {
        return person.mayAnywhere(Right.SCHEDULES)
                ? Mono.just(person)
                : Mono.error(onlyOwners().asException());
    }

    static Problem onlyOwners() {
        return Problem.of(
                403,
                "owners-only",
                "Only for owners",
                "Schedules are made and changed by the owners of a workspace. Ask one of them.");
    }

    private static ScheduleForm typed(MultiValueMap<String, String> form) {
        return ScheduleForm.typed(name -> {
            String value = form.getFirst(name);
            return value == null ? "" : value;
        });
    }

    private static boolean isPreview(MultiValueMap<String, String> form) {
        return "preview".equals(form.getFirst("do"));
    }
}
