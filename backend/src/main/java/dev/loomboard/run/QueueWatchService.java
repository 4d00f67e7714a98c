package dev.loomboard.run;

import dev.loomboard.kernel.MachineId;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.springframework.stereotype.Service;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/**
 * Wakes waiting claims when a run is queued for their machine. One look into the queue serves all claims of a replica: most
 * changes of runs are heartbeats and uploads of others, and with a look by each claim at each change a fleet would do little else.
 */
@Service
class QueueWatchService {

    /** Between two looks when no change is announced. */
    private static final Duration LOOK = Duration.ofSeconds(2);
    /** Changes that come within are looked at together. */
    private static final Duration GATHER = Duration.ofMillis(50);

    private static final int MOST_GATHERED = 1000;

    private final RunStore runs;
    private final Set<Waiting> waiting = ConcurrentHashMap.newKeySet();
    private final Sinks.Many<Long> found = Sinks.many().multicast().directBestEffort();

    QueueWatchService(RunStore runs) {
        this.runs = runs;
    }

    /** One claim: a machine may have several, by mistake. */
    private static final class Waiting {
        private final long machine;

        private Waiting(long machine) {
            this.machine = machine;
        }
    }

    /**
     * A sign whenever a run may have been queued for the machine, and now and then while it has one that was not given: somebody
     * had it at that moment. Never ends by itself.
     */
    Flux<Long> queuedFor(MachineId machine) {
        return Flux.using(
                () -> register(machine),
                claim -> found.asFlux().filter(of -> of == claim.machine).onBackpressureLatest(),
                waiting::remove);
    }

    private Waiting register(MachineId machine) {
        Waiting claim = new Waiting(machine.value());
        waiting.add(claim);
        return claim;
    }

    /**
     * Looks as long as it is subscribed, once for all claims.
     *
     * @param changed ids of runs; {@link RunEventService#ANY}: any may have
     */
    Flux<Long> looks(Flux<String> changed) {
        Flux<Long> atChanges = changed.bufferTimeout(MOST_GATHERED, GATHER)
                .onBackpressureBuffer()
                .concatMap(this::ofChanges);
        Flux<Long> inTime = Flux.interval(LOOK).onBackpressureDrop().concatMap(look -> ofWaiting(), 1);
        return Flux.merge(atChanges, inTime).doOnNext(found::tryEmitNext);
    }

    private Flux<Long> ofChanges(List<String> changed) {
        if (waiting.isEmpty()) {
            return Flux.empty();
        }
        return changed.contains(RunEventService.ANY) ? ofWaiting() : looked(runs.queuedAmong(Set.copyOf(changed)));
    }

    private Flux<Long> ofWaiting() {
        return looked(
                runs.busyAmong(waiting.stream().map(claim -> claim.machine).collect(Collectors.toSet())));
    }

    /** The next look replaces one that the database did not answer; a new claim gets the outage as its answer. */
    private static Flux<Long> looked(Flux<Long> machines) {
        return machines.collectList().onErrorResume(e -> Mono.just(List.of())).flatMapIterable(all -> all);
    }
}
