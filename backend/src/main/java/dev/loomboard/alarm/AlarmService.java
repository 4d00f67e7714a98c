package dev.loomboard.alarm;

import dev.loomboard.schedule.ScheduleId;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Service;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Notices what should be heard of and is not. */
@Service
public class AlarmService {

    private static final Logger LOG = LoggerFactory.getLogger(AlarmService.class);

    private final ScheduleAlarmStore schedules;
    private final MachineAlarmStore machines;
    private final Duration away;

    /** @param away after how long machines are away; zero: none ever is */
    AlarmService(
            ScheduleAlarmStore schedules,
            MachineAlarmStore machines,
            @Value("${loomboard.machine-away}") Duration away) {
        this.schedules = schedules;
        this.machines = machines;
        this.away = away;
    }

    /** Those of these schedules that have an alarm now. */
    public Mono<Map<ScheduleId, MissingResult>> of(List<ScheduleId> of) {
        return schedules.of(of).collectMap(ScheduleAlarmStore.Missing::schedule, ScheduleAlarmStore.Missing::result);
    }

    /** Each alarm once, however many replicas ask, until what ends it. */
    public Flux<BegunAlarm> begin() {
        return Flux.concatDelayError(
                        schedules.end().thenMany(schedules.begin()),
                        machines.watch()
                                .then(machines.end(away))
                                .thenMany(away.isZero() ? Flux.empty() : machines.begin(away)))
                .doOnNext(begun -> LOG.warn("{} of workspace {}: {}", begun.of(), begun.workspace(), begun.words()));
    }
}
