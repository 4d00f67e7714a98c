package dev.loomboard.run;

import dev.loomboard.plan.BlockRepeatStore;
import dev.loomboard.recompute.RecomputeService;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.springframework.stereotype.Service;
import reactor.core.publisher.Mono;

/** Writes what has become of a lease, within the caller's transaction. */
@Service
class LeaseChangeService {

    private final RunStore runs;
    private final RunCellStore contents;
    private final BlockRepeatStore repeats;
    private final RecomputeService rollup;

    LeaseChangeService(RunStore runs, RunCellStore contents, BlockRepeatStore repeats, RecomputeService rollup) {
        this.runs = runs;
        this.contents = contents;
        this.repeats = repeats;
        this.rollup = rollup;
    }

    /** Writes a lease that may have changed; one that is over ends its run. */
    Mono<Void> write(RunStore.Locked run, Lease next, Instant now) {
        if (next.equals(run.lease())) {
            return Mono.empty();
        }
        return next.state().isOver() ? end(run, next, now) : runs.save(run.key(), next, now);
    }

    /** Ends a run, whose numbers are then made. */
    Mono<Void> end(RunStore.Locked run, Lease over, Instant now) {
        return stop(run, over, now).flatMap(aborted -> rollup.runEnded(run.key(), aborted));
    }

    /** Ends a run without numbers of the whole; gives the keys of trials that will not end. */
    Mono<List<Long>> stop(RunStore.Locked run, Lease over, Instant now) {
        String failure = over.failure();
        String why = failure == null ? "The run is " + over.state().wire() + "." : failure;
        return runs.save(run.key(), over, now)
                .then(contents.abortUnended(run.key(), why))
                .zipWhen(aborted -> repeats.cutOff(run.key()))
                .map(both -> Stream.concat(both.getT1().stream(), both.getT2().stream())
                        .distinct()
                        .toList());
    }
}
