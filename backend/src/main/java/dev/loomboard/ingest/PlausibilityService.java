package dev.loomboard.ingest;

import dev.loomboard.limits.BackgroundWork;
import dev.loomboard.rollup.EndedTrial;
import dev.loomboard.rollup.RollupStore;
import org.springframework.stereotype.Service;
import reactor.core.publisher.Mono;

/** Marks a trial invalid when what was uploaded of it cannot be. Nothing is thrown away by it. */
@Service
class PlausibilityService {

    private final RollupStore trials;
    private final PlausibilityStore store;

    PlausibilityService(RollupStore trials, PlausibilityStore store) {
        this.trials = trials;
        this.store = store;
    }

    /** To be called once a trial has ended, before its numbers are made. */
    Mono<Void> judge(long trial) {
        return trials.trial(trial)
                .zipWith(store.circumstances(trial))
                .publishOn(BackgroundWork.threads()) // a search has hundreds of histograms to decode
                .flatMap(both -> refute(trial, both.getT1(), both.getT2()));
    }

    private Mono<Void> refute(long trial, EndedTrial ended, Plausibility.Circumstances of) {
        return Plausibility.refutation(ended, of)
                .map(reason -> store.refute(trial, reason))
                .orElse(Mono.empty());
    }
}
