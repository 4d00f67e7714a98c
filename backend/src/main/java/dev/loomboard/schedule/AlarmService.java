package dev.loomboard.schedule;

import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Service;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Notices schedules that have had no result for longer than their owners allow. */
@Service
public class AlarmService {

    private static final Logger LOG = LoggerFactory.getLogger(AlarmService.class);

    private final AlarmStore alarms;
    private final ScheduleStore schedules;

    AlarmService(AlarmStore alarms, ScheduleStore schedules) {
        this.alarms = alarms;
        this.schedules = schedules;
    }

    /** Those of these schedules that have an alarm now. */
    public Mono<Map<ScheduleId, MissingResult>> of(List<ScheduleId> of) {
        return alarms.of(of).collectMap(AlarmStore.Missing::schedule, AlarmStore.Missing::result);
    }

    /** A schedule whose alarm began. */
    public record Begun(Schedule schedule, MissingResult result) {

        public String words() {
            return result.words(schedule.times().zoneId());
        }
    }

    /** Each alarm once, however many replicas ask, until a result has ended it. */
    public Flux<Begun> begin() {
        return alarms.end()
                .thenMany(alarms.begin())
                .collectList()
                .flatMapMany(Flux::fromIterable)
                .concatMap(begun -> schedules.byId(begun.id()).map(schedule -> new Begun(schedule, begun.result())))
                .doOnNext(begun -> LOG.warn(
                        "schedule {} of workspace {}: {}",
                        begun.schedule().slug(),
                        begun.schedule().workspace(),
                        begun.words()));
    }
}
