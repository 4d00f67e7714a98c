package dev.loomboard.schedule;

import dev.loomboard.run.RunService;
import dev.loomboard.run.RunStop;
import java.time.Clock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Service;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Stops runs that go on for longer than their schedule allows. Of two replicas that find one, the second finds it stopped. */
@Service
class LongRunService {

    private static final Logger LOG = LoggerFactory.getLogger(LongRunService.class);

    private final FiringStore firings;
    private final RunService runs;
    private final Clock clock;

    LongRunService(FiringStore firings, RunService runs, Clock clock) {
        this.firings = firings;
        this.runs = runs;
        this.clock = clock;
    }

    /** Gives how many; one that cannot be stopped is logged and does not keep the others going. */
    Mono<Long> stop() {
        return firings.tooLong(clock.instant())
                .collectList()
                .flatMapMany(Flux::fromIterable)
                .concatMap(this::stop)
                .filter(stopped -> stopped)
                .count();
    }

    private Mono<Boolean> stop(FiringStore.LongRun run) {
        RunStop why = new RunStop(RunStop.Kind.DURATION, "Stopped after " + run.hours() + " h, as its schedule says");
        return runs.stop(run.schedule(), run.run(), why)
                .doOnNext(stopped -> log(stopped, run))
                .onErrorResume(e -> {
                    LOG.error("run {} of schedule {} could not be stopped", run.run(), run.schedule(), e);
                    return Mono.just(false);
                });
    }

    private static void log(boolean stopped, FiringStore.LongRun run) {
        if (stopped) {
            LOG.info("run {} of schedule {} is stopped after {} h", run.run(), run.schedule(), run.hours());
        }
    }
}
