package dev.loomboard.schedulepages;

import dev.loomboard.audit.AuditEvent;
import dev.loomboard.audit.AuditStore;
import dev.loomboard.cron.CronService;
import dev.loomboard.cron.Preview;
import dev.loomboard.kernel.Caller;
import dev.loomboard.kernel.ExternalId;
import dev.loomboard.kernel.MachineId;
import dev.loomboard.kernel.Right;
import dev.loomboard.kernel.WorkspaceId;
import dev.loomboard.matrix.RequirementService;
import dev.loomboard.quota.QuotaKind;
import dev.loomboard.quota.QuotaService;
import dev.loomboard.schedule.Schedule;
import dev.loomboard.schedule.ScheduleStore;
import dev.loomboard.schedule.TriggerService;
import dev.loomboard.web.Problem.FieldError;
import dev.loomboard.web.request.RequestId;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Service;
import org.springframework.transaction.reactive.TransactionalOperator;
import reactor.core.publisher.Mono;

/** What an owner, or a script for one, does to schedules. The rows change first; when Quartz cannot follow at once, the reconciliation does. */
@Service
class ScheduleService {

    private static final Logger LOG = LoggerFactory.getLogger(ScheduleService.class);

    private final ScheduleStore schedules;
    private final TriggerService triggers;
    private final CronService crons;
    private final QuotaService quotas;
    private final RequirementService requirements;
    private final AuditStore audit;
    private final TransactionalOperator transaction;
    private final Clock clock;

    ScheduleService(
            ScheduleStore schedules,
            TriggerService triggers,
            CronService crons,
            QuotaService quotas,
            RequirementService requirements,
            AuditStore audit,
            TransactionalOperator transaction,
            Clock clock) {
        this.schedules = schedules;
        this.triggers = triggers;
        this.crons = crons;
        this.quotas = quotas;
        this.requirements = requirements;
        this.audit = audit;
        this.transaction = transaction;
        this.clock = clock;
    }

    /** What a form for something new may offer a person. */
    Mono<FormOptions> options(Caller.Person person) {
        return options(person.where(Right.SCHEDULES));
    }

    /** What a token may choose from. */
    Mono<FormOptions> options(Caller.Token token) {
        return options(List.of(token.workspace()));
    }

    /** What the form of a schedule may offer: it stays in its workspace. */
    Mono<FormOptions> options(Schedule schedule) {
        return options(List.of(schedule.workspaceKey()));
    }

    private Mono<FormOptions> options(List<WorkspaceId> workspaces) {
        return Mono.zip(
                schedules.matrices(workspaces).collectList(),
                schedules.machines(workspaces).collectList(),
                FormOptions::new);
    }

    Mono<Saved> create(Caller caller, ScheduleForm typed, FormOptions options) {
        return checked(typed, options).flatMap(form -> add(caller, form, options));
    }

    private Mono<Saved> add(Caller caller, ScheduleForm form, FormOptions options) {
        var matrix = options.matrix(form.matrix());
        var machine = options.machine(form.machine());
        if (form.isRefused() || matrix.isEmpty() || machine.isEmpty()) {
            return Mono.just(new Saved.Refused(form));
        }
        String id = ExternalId.random("sch").value();
        WorkspaceId workspace = machine.get().workspaceKey();
        Mono<Saved> added = schedules
                .add(
                        id,
                        workspace,
                        form.slug(),
                        form.draft(),
                        matrix.get().key(),
                        machine.get().key(),
                        caller instanceof Caller.Person person ? person.account() : null,
                        now())
                .flatMap(slug -> note(
                                caller,
                                workspace,
                                "schedule.create",
                                id,
                                Map.of(
                                        "cron",
                                        form.draft().cron(),
                                        "zone",
                                        form.draft().zone()))
                        .thenReturn((Saved) new Saved.Done(machine.get().workspace(), slug)));
        return quotas.full(workspace, QuotaKind.SCHEDULES)
                .<Saved>map(full ->
                        new Saved.Full(full, form.refused(List.of(new FieldError("title", full.refusal())))))
                .switchIfEmpty(added)
                .as(transaction::transactional)
                .flatMap(saved -> follow(id).thenReturn(saved));
    }

    Mono<Saved> change(Caller caller, Schedule schedule, ScheduleForm typed, FormOptions options) {
        return checked(typed, options).flatMap(form -> put(caller, schedule, form, options));
    }

    private Mono<Saved> put(Caller caller, Schedule schedule, ScheduleForm form, FormOptions options) {
        var matrix = options.matrix(form.matrix());
        var machine = options.machine(form.machine());
        if (form.isRefused() || matrix.isEmpty() || machine.isEmpty()) {
            return Mono.just(new Saved.Refused(form));
        }
        return schedules
                .change(
                        schedule.key(),
                        form.draft(),
                        matrix.get().key(),
                        machine.get().key(),
                        now())
                .then(note(
                        caller,
                        schedule.workspaceKey(),
                        "schedule.change",
                        schedule.id(),
                        Map.of("cron", form.draft().cron(), "zone", form.draft().zone())))
                .as(transaction::transactional)
                .then(follow(schedule.id()))
                .thenReturn(new Saved.Done(schedule.workspace(), schedule.slug()));
    }

    /** Pausing loses nothing but the firings meanwhile: they are not made up for. */
    Mono<Void> setState(Caller caller, Schedule schedule, Schedule.State state) {
        String action = state == Schedule.State.PAUSED ? "schedule.pause" : "schedule.resume";
        return schedules
                .setState(schedule.key(), state, now())
                .filter(changed -> changed)
                .flatMap(changed -> note(caller, schedule.workspaceKey(), action, schedule.id(), Map.of()))
                .as(transaction::transactional)
                .then(follow(schedule.id()));
    }

    Mono<Void> delete(Caller.Person person, Schedule schedule) {
        return schedules
                .delete(schedule.key())
                .then(note(
                        person,
                        schedule.workspaceKey(),
                        "schedule.delete",
                        schedule.id(),
                        Map.of("slug", schedule.slug())))
                .as(transaction::transactional)
                .then(triggers.remove(schedule.id()).then())
                .onErrorResume(e -> laterInstead(schedule.id(), e));
    }

    /** When a form's times would fire, whatever else is wrong with it. */
    Preview preview(ScheduleForm form) {
        List<FieldError> problems = form.timeProblems(cron -> crons.problem(cron, now()));
        return problems.isEmpty()
                ? crons.preview(form.timing(), form.zone(), now())
                : Preview.refused(String.join(
                        "; ",
                        problems.stream()
                                .map(p -> p.field() + " " + p.message())
                                .toList()));
    }

    /** The form with what is wrong about its times alone. */
    ScheduleForm timesChecked(ScheduleForm form) {
        return form.refused(form.timeProblems(cron -> crons.problem(cron, now())));
    }

    private Mono<ScheduleForm> checked(ScheduleForm typed, FormOptions options) {
        ScheduleForm form = typed.checked(cron -> crons.problem(cron, now()));
        List<FieldError> all = new ArrayList<>(form.problems());
        all.addAll(options.problems(form));
        alarmProblem(form).ifPresent(all::add);
        return lacking(form, options).doOnNext(all::add).then(Mono.fromSupplier(() -> form.refused(all)));
    }

    /** An alarm that holds between any two firings tells nothing. */
    private Optional<FieldError> alarmProblem(ScheduleForm form) {
        Integer hours = form.rules().rules().alarmHours();
        if (form.isRefused() || hours == null) {
            return Optional.empty();
        }
        return crons.longestGap(form.timing().cron(), ZoneId.of(form.zone()), now())
                .filter(gap -> gap.compareTo(Duration.ofHours(hours)) >= 0)
                .map(gap -> new FieldError(
                        "alarmHours",
                        "must be more than " + gap.toHours() + " h, the longest time between two firings, or empty for"
                                + " no alarm, is: " + hours));
    }

    /** What the chosen machine lacks for the chosen matrix. */
    private Mono<FieldError> lacking(ScheduleForm form, FormOptions options) {
        var matrix = options.matrix(form.matrix());
        var machine = options.machine(form.machine());
        return matrix.isEmpty() || machine.isEmpty()
                ? Mono.empty()
                : requirements
                        .lacking(matrix.get().key(), new MachineId(machine.get().key()))
                        .map(lacks -> new FieldError("machine", lacks));
    }

    private Mono<Void> follow(String id) {
        return schedules.byId(id).flatMap(triggers::align).then().onErrorResume(e -> laterInstead(id, e));
    }

    /** The rows are changed and committed: to fail now would claim that they are not. */
    private static Mono<Void> laterInstead(String id, Throwable e) {
        return RequestId.logged(() -> LOG.warn(
                "Quartz did not follow the change of schedule {}; the reconciliation will, within a minute", id, e));
    }

    private Mono<Void> note(
            Caller caller, WorkspaceId workspace, String action, String subject, Map<String, String> detail) {
        return audit.append(new AuditEvent(workspace, caller.actor(), action, subject, detail));
    }

    private Instant now() {
        return clock.instant();
    }
}
