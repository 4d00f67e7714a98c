package dev.loomboard.alarm;

import dev.loomboard.schedule.ScheduleId;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
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
    private final Clock clock;
    private final Instant up;

    /** @param away after how long machines are away; zero: none ever is */
    AlarmService(
            ScheduleAlarmStore schedules,
            MachineAlarmStore machines,
            @Value("${loomboard.machine-away}") Duration away,
            Clock clock) {
        this.schedules = schedules;
        this.machines = machines;
        this.away = away;
        this.clock = clock;
        this.up = clock.instant();
    }

    /** Those of these schedules that have an alarm now. */
    public Mono<Map<ScheduleId, MissingResult>> of(List<ScheduleId> of) {
        return schedules.of(of).collectMap(ScheduleAlarmStore.Missing::schedule, ScheduleAlarmStore.Missing::result);
    }

    /** Each alarm once, however many replicas ask, until what ends it. */
    public Flux<BegunAlarm> begin() {
        return Flux.concatDelayError(
                        schedules.end().thenMany(schedules.begin()),
                        machines.end(away).thenMany(Flux.defer(this::beginOfMachines)))
                .doOnNext(begun -> LOG.warn("{} of workspace {}: {}", begun.of(), begun.workspace(), begun.words()));
    }

    /** A service that was away itself has heard of none, so a new one waits for as long. */
    private Flux<BegunAlarm> beginOfMachines() {
        return away.isZero() || clock.instant().isBefore(up.plus(away)) ? Flux.empty() : machines.begin(away);
    }
}
