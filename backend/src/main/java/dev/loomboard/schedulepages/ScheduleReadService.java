package dev.loomboard.schedulepages;

import dev.loomboard.alarm.AlarmService;
import dev.loomboard.alarm.MissingResult;
import dev.loomboard.cron.CronService;
import dev.loomboard.cron.FireTime;
import dev.loomboard.cron.Timing;
import dev.loomboard.kernel.Caller;
import dev.loomboard.schedule.FiringStore;
import dev.loomboard.schedule.NightForecastService;
import dev.loomboard.schedule.PastFiring;
import dev.loomboard.schedule.Schedule;
import dev.loomboard.schedule.ScheduleControlService;
import dev.loomboard.schedule.ScheduleId;
import dev.loomboard.schedule.ScheduleStore;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Service;
import reactor.core.publisher.Mono;

/** What pages show of schedules. */
@Service
class ScheduleReadService {

    private static final int PAST = 30;
    /** Of a schedule that fires each half hour. */
    private static final int MOST_OF_NIGHTS = 1500;

    private final ScheduleStore schedules;
    private final FiringStore firings;
    private final AlarmService alarms;
    private final CronService crons;
    private final ScheduleControlService controls;
    private final NightForecastService nights;
    private final Clock clock;

    ScheduleReadService(
            ScheduleStore schedules,
            FiringStore firings,
            AlarmService alarms,
            CronService crons,
            ScheduleControlService controls,
            NightForecastService nights,
            Clock clock) {
        this.schedules = schedules;
        this.firings = firings;
        this.alarms = alarms;
        this.crons = crons;
        this.controls = controls;
        this.nights = nights;
        this.clock = clock;
    }

    Mono<List<ScheduleView.Line>> list(Caller caller) {
        return schedules.visible(caller).collectList().flatMap(all -> {
            List<ScheduleId> keys = all.stream().map(Schedule::key).toList();
            return Mono.zip(
                            firings.lastOf(caller, keys).collectMap(FiringStore.Last::schedule, FiringStore.Last::past),
                            alarms.of(keys))
                    .map(found -> lines(all, found.getT1(), found.getT2()));
        });
    }

    Mono<ScheduleView> view(Caller caller, String workspace, String slug) {
        return schedules.find(caller, workspace, slug).flatMap(schedule -> view(caller, schedule));
    }

    private Mono<ScheduleView> view(Caller caller, Schedule schedule) {
        Instant now = clock.instant();
        ZoneId zone = schedule.times().zoneId();
        return Mono.zip(
                        firings.past(caller, schedule.key(), PAST).collectList(),
                        controls.view(schedule),
                        nights.of(schedule).map(Optional::of).defaultIfEmpty(Optional.empty()),
                        firings.since(caller, schedule.key(), NightCalendar.since(now, zone), MOST_OF_NIGHTS)
                                .collectList(),
                        alarms.of(List.of(schedule.key())))
                .map(found -> new ScheduleView(
                        schedule,
                        crons.preview(
                                Timing.of(schedule.times().cron()),
                                schedule.times().zone(),
                                now),
                        found.getT1(),
                        NightCalendar.of(found.getT4(), now, zone),
                        found.getT2(),
                        found.getT5().get(schedule.key()),
                        found.getT3().orElse(null)));
    }

    private List<ScheduleView.Line> lines(
            List<Schedule> all, Map<ScheduleId, PastFiring> last, Map<ScheduleId, MissingResult> missing) {
        return all.stream()
                .map(s -> new ScheduleView.Line(s, next(s), last.get(s.key()), missing.get(s.key())))
                .toList();
    }

    private @Nullable FireTime next(Schedule schedule) {
        if (!schedule.active()) {
            return null;
        }
        return crons.next(schedule.times().cron(), schedule.times().zoneId(), clock.instant(), 1).stream()
                .map(at -> FireTime.of(at, schedule.times().zoneId()))
                .findFirst()
                .orElse(null);
    }
}
