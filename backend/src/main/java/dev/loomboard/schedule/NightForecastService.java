package dev.loomboard.schedule;

import dev.loomboard.forecast.RunForecastService;
import dev.loomboard.inventory.InventoryStore;
import dev.loomboard.jdk.JdkBuild;
import dev.loomboard.jdk.JdkStore;
import dev.loomboard.kernel.MachineId;
import dev.loomboard.matrix.Matrix;
import dev.loomboard.matrix.MatrixSpec;
import dev.loomboard.matrix.MatrixStore;
import dev.loomboard.matrix.RequirementService;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Service;
import reactor.core.publisher.Mono;
import tools.jackson.core.JacksonException;

/** Forecasts of schedules, and of what stands in their form. */
@Service
public class NightForecastService {

    private final MatrixStore matrices;
    private final JdkStore jdks;
    private final InventoryStore inventories;
    private final RequirementService requirements;
    private final RunForecastService forecasts;
    private final NewBuildService builds;
    private final BackfillService backfills;

    NightForecastService(
            MatrixStore matrices,
            JdkStore jdks,
            InventoryStore inventories,
            RequirementService requirements,
            RunForecastService forecasts,
            NewBuildService builds,
            BackfillService backfills) {
        this.matrices = matrices;
        this.jdks = jdks;
        this.inventories = inventories;
        this.requirements = requirements;
        this.forecasts = forecasts;
        this.builds = builds;
        this.backfills = backfills;
    }

    /** Empty: its matrix was stored by a version that this one does not understand. */
    public Mono<NightForecast> of(Schedule schedule) {
        return of(
                        schedule.matrix().key(),
                        schedule.machine().key(),
                        schedule.machine().name(),
                        schedule.jdks(),
                        schedule.control(),
                        schedule.rules().mostHours())
                .flatMap(night -> matrices.byKey(schedule.matrix().key())
                        .flatMap(matrix -> Mono.zip(
                                backfills.next(schedule, matrix.spec()), builds.nothingNew(schedule, matrix.spec())))
                        .map(found -> found.getT1()
                                .map(night::before)
                                .or(() -> found.getT2().map(night::skipped))
                                .orElse(night)));
    }

    /**
     * Of what a form names.
     *
     * @param mostHours as {@link Schedule.Rules#mostHours}
     * @param schedule the one that is changed; null: a new one
     */
    public Mono<NightForecast> of(
            Choice matrix,
            Choice machine,
            List<String> selectors,
            @Nullable Integer mostHours,
            @Nullable Schedule schedule) {
        return of(
                matrix.key(),
                new MachineId(machine.key()),
                machine.title(),
                selectors,
                schedule == null ? Schedule.Control.UNCHOSEN : schedule.control(),
                mostHours);
    }

    private Mono<NightForecast> of(
            long matrix,
            MachineId machine,
            String name,
            List<String> selectors,
            Schedule.Control control,
            @Nullable Integer mostHours) {
        return matrices.byKey(matrix)
                .map(Matrix::spec)
                .flatMap(spec -> Mono.zip(jdks.present(machine).collectList(), inventories.servers(machine))
                        .flatMap(has -> of(
                                machine,
                                name,
                                spec,
                                selectors,
                                control,
                                mostHours,
                                new ControlChoice.Offer(has.getT1(), has.getT2()))))
                .onErrorResume(JacksonException.class, e -> Mono.empty());
    }

    private Mono<NightForecast> of(
            MachineId machine,
            String name,
            MatrixSpec spec,
            List<String> selectors,
            Schedule.Control control,
            @Nullable Integer mostHours,
            ControlChoice.Offer offer) {
        Long beside = control.on()
                ? ControlChoice.of(control, spec, selectors, offer)
                        .map(ControlChoice::build)
                        .map(JdkBuild::key)
                        .orElse(null)
                : null;
        String requires = spec.requires() == null ? null : spec.requires().words();
        return Mono.zip(
                        forecasts.of(machine, spec, selectors, offer.builds(), offer.servers(), beside),
                        requirements.lacking(spec, machine).defaultIfEmpty(""))
                .map(found -> new NightForecast(
                        name,
                        requires,
                        found.getT2().isEmpty() ? null : found.getT2(),
                        null,
                        null,
                        mostHours,
                        found.getT1()));
    }
}
