package dev.loomboard.schedulepages;

import dev.loomboard.jdk.JdkSelectors;
import dev.loomboard.kernel.Caller;
import dev.loomboard.kernel.FieldChecks;
import dev.loomboard.machine.MachineStore;
import dev.loomboard.matrix.MatrixStore;
import dev.loomboard.quota.QuotaService;
import dev.loomboard.schedule.Firing;
import dev.loomboard.schedule.FiringService;
import dev.loomboard.schedule.NightForecast;
import dev.loomboard.schedule.NightForecastService;
import dev.loomboard.schedule.Overlap;
import dev.loomboard.schedule.Schedule;
import dev.loomboard.schedule.ScheduleStore;
import dev.loomboard.web.Problem;
import dev.loomboard.web.Urls;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;

/** Schedules for scripts, within the token's workspace: make and change one, pause and resume it, run it now. */
@RestController
class ScheduleApi {

    private static final int LONGEST_CRON = 200;
    private static final int MOST_SELECTORS = 20;

    private final ScheduleStore schedules;
    private final ScheduleService service;
    private final FiringService firings;
    private final MatrixStore matrices;
    private final MachineStore machines;
    private final NightForecastService nights;

    ScheduleApi(
            ScheduleStore schedules,
            ScheduleService service,
            FiringService firings,
            MatrixStore matrices,
            MachineStore machines,
            NightForecastService nights) {
        this.schedules = schedules;
        this.service = service;
        this.firings = firings;
        this.matrices = matrices;
        this.machines = machines;
        this.nights = nights;
    }

    /**
     * @param zone null: UTC
     * @param jdks selectors in place of the matrix's own; null or empty: the matrix's own
     * @param onlyNew whether a firing is skipped when no build is new; null: false
     * @param overlap null: a firing is skipped while an earlier run is open
     * @param mostHours null: no maximum
     * @param alarmHours null: no alarm
     * @param backfill null: none
     */
    record ScheduleRequest(
            String title,
            String matrix,
            String machine,
            String cron,
            @Nullable String zone,
            @Nullable List<String> jdks,
            @Nullable Boolean onlyNew,
            @Nullable Overlap overlap,
            @Nullable Integer mostHours,
            @Nullable Integer alarmHours,
            @Nullable Integer backfill) {
        ScheduleRequest {
            FieldChecks.text("title", title, ScheduleForm.LONGEST_TITLE);
            FieldChecks.matching("matrix", matrix, FieldChecks.SLUG);
            FieldChecks.matching("machine", machine, FieldChecks.SLUG);
            FieldChecks.text("cron", cron, LONGEST_CRON);
            jdks = FieldChecks.listOrNull("jdks", jdks, MOST_SELECTORS);
            for (int i = 0; i < jdks.size(); i++) {
                String field = "jdks[" + i + "]";
                JdkSelectors.problem(jdks.get(i)).ifPresent(problem -> {
                    throw new FieldChecks.Refused(field, problem);
                });
            }
        }

        /**
         * As if it had been typed on the page.
         *
         * @param matrixId external id
         * @param machineId external id
         */
        ScheduleForm form(String matrixId, String machineId) {
            Map<String, String> fields = new HashMap<>(Map.of(
                    "title",
                    title,
                    "matrix",
                    matrixId,
                    "machine",
                    machineId,
                    "when",
                    "cron",
                    "cron",
                    cron,
                    "zone",
                    Objects.requireNonNullElse(zone, "UTC"),
                    "jdks",
                    String.join(" ", Objects.requireNonNullElse(jdks, List.of())),
                    "onlyNew",
                    Boolean.TRUE.equals(onlyNew) ? "on" : ""));
            fields.put("overlap", overlap == null ? "" : overlap.wire());
            fields.put("mostHours", Objects.toString(mostHours, ""));
            fields.put("alarmHours", Objects.toString(alarmHours, ""));
            fields.put("backfill", Objects.toString(backfill, ""));
            return ScheduleForm.typed(field -> fields.getOrDefault(field, ""));
        }
    }

    /**
     * @param schedule its slug
     * @param warnings which selectors match no build of the machine now, and that the run is stopped before its end
     */
    record Stored(String schedule, String url, List<String> warnings) {}

    record Queued(String runId, String url) {}

    @PostMapping("/api/v1/schedules")
    @ResponseStatus(HttpStatus.CREATED)
    Mono<Stored> create(Caller.Token token, @RequestBody ScheduleRequest request) {
        return Mono.zip(form(token, request), service.options(token))
                .flatMap(both -> service.create(token, both.getT1(), both.getT2()))
                .flatMap(saved -> stored(token, saved));
    }

    @PutMapping("/api/v1/schedules/{slug}")
    Mono<Stored> change(Caller.Token token, @PathVariable String slug, @RequestBody ScheduleRequest request) {
        return found(token, slug)
                .flatMap(schedule -> Mono.zip(form(token, request), service.options(token))
                        .flatMap(both -> service.change(token, schedule, both.getT1(), both.getT2())))
                .flatMap(saved -> stored(token, saved));
    }

    @PostMapping("/api/v1/schedules/{slug}/pause")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    Mono<Void> pause(Caller.Token token, @PathVariable String slug) {
        return found(token, slug).flatMap(schedule -> service.setState(token, schedule, Schedule.State.PAUSED));
    }

    @PostMapping("/api/v1/schedules/{slug}/resume")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    Mono<Void> resume(Caller.Token token, @PathVariable String slug) {
        return found(token, slug).flatMap(schedule -> service.setState(token, schedule, Schedule.State.ACTIVE));
    }

    @PostMapping("/api/v1/schedules/{slug}/run")
    @ResponseStatus(HttpStatus.CREATED)
    Mono<Queued> run(Caller.Token token, @PathVariable String slug) {
        return found(token, slug)
                .flatMap(schedule -> firings.runNow(schedule.id(), token))
                .flatMap(firing -> switch (firing) {
                    case Firing.Queued queued -> Mono.just(new Queued(queued.run(), Urls.run(queued.run())));
                    case Firing.Skipped skipped ->
                        Mono.error(Problem.of(422, "nothing-to-run", "Nothing to run", skipped.reason())
                                .asException());
                    case Firing.NotDue gone -> Mono.error(Problem.notFound().asException());
                });
    }

    private Mono<Schedule> found(Caller.Token token, String slug) {
        return schedules
                .ofWorkspace(token.workspace(), slug)
                .switchIfEmpty(Mono.error(() -> Problem.notFound().asException()));
    }

    private Mono<ScheduleForm> form(Caller.Token token, ScheduleRequest request) {
        var matrix = matrices.ofWorkspace(token.workspace(), request.matrix())
                .switchIfEmpty(unknown("matrix", "the workspace has no matrix " + request.matrix()));
        var machine = machines.ofWorkspace(token.workspace(), request.machine())
                .switchIfEmpty(unknown("machine", "the workspace has no machine " + request.machine()));
        return Mono.zip(matrix, machine)
                .map(both -> request.form(both.getT1().id(), both.getT2().id()));
    }

    private static <T> Mono<T> unknown(String field, String message) {
        return Mono.error(() -> Problem.invalid(field, message).asException());
    }

    private Mono<Stored> stored(Caller.Token token, Saved saved) {
        return switch (saved) {
            case Saved.Done done ->
                found(token, done.slug())
                        .flatMap(schedule ->
                                nights.of(schedule).map(NightForecast::warnings).defaultIfEmpty(List.of()))
                        .map(warnings ->
                                new Stored(done.slug(), Urls.schedule(done.workspace(), done.slug()), warnings));
            case Saved.Refused refused ->
                Mono.error(Problem.invalid(refused.form().problems()).asException());
            case Saved.Full full ->
                Mono.error(QuotaService.refusal(full.quota()).asException());
        };
    }
}
