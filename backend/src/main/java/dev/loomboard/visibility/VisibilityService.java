package dev.loomboard.visibility;

import dev.loomboard.kernel.MachineId;
import reactor.core.publisher.Mono;

/** Makes again what depends on who may see a machine's results, and on whether they rank in public. The packages above, which know results, implement it. */
public interface VisibilityService {

    /** Makes the change and then all that depends on it; to be called in a transaction. */
    Mono<Void> visibilityChanges(MachineId machine, Mono<Void> change);
}
