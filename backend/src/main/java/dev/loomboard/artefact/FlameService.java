package dev.loomboard.artefact;

import dev.loomboard.kernel.Caller;
import dev.loomboard.kernel.ExternalId;
import org.springframework.stereotype.Service;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** Sets the stacks of two cells' diagnostic trials against each other. */
@Service
public class FlameService {

    private final FlameStore store;

    FlameService(FlameStore store) {
        this.store = store;
    }

    /** By external ids; empty when there is no such cell, or the caller may not see it. */
    public Mono<Flames> between(String baseline, String candidate, Caller caller) {
        if (!ExternalId.isOf("cel", baseline) || !ExternalId.isOf("cel", candidate)) {
            return Mono.empty();
        }
        return Mono.zip(store.stacks(baseline, caller), store.stacks(candidate, caller))
                // Megabytes of text may have to be read: not on a thread that serves connections.
                .publishOn(Schedulers.parallel())
                .map(sides -> flames(sides.getT1(), sides.getT2()));
    }

    private static Flames flames(FlameStore.Stacks a, FlameStore.Stacks b) {
        boolean both = a.side().stacks() && b.side().stacks();
        return new Flames(a.side(), b.side(), both ? FlameDifference.of(a.content(), b.content()) : null);
    }
}
