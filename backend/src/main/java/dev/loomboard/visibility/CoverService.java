package dev.loomboard.visibility;

import dev.loomboard.kernel.MachineId;
import dev.loomboard.kernel.WorkspaceId;
import org.springframework.stereotype.Service;
import reactor.core.publisher.Mono;

/**
 * Covers and uncovers what is in a workspace or of a machine, when the workspace becomes private or an administrator hides
 * something: who sees what, and then the ranks, which count only what is public. To be called in a transaction.
 */
@Service
public class CoverService {

    private final VisibilityStore store;
    private final VisibilityService results;

    CoverService(VisibilityStore store, VisibilityService results) {
        this.store = store;
        this.results = results;
    }

    /** After something was changed that decides who sees the machine, or one of its runs. */
    public Mono<Void> changed(MachineId machine) {
        return results.visibilityChanges(machine, store.settle(machine));
    }

    /** After something was changed that decides who sees the workspace. */
    public Mono<Void> changed(WorkspaceId workspace) {
        return store.settle(workspace)
                .then(store.machines(workspace).collectList())
                .flatMapIterable(machines -> machines)
                .concatMap(this::changed)
                .then();
    }

    public Mono<Cover> of(MachineId machine) {
        return store.cover(machine);
    }

    /** After a machine was added, which has measured nothing yet. */
    public Mono<Void> added(MachineId machine) {
        return store.settle(machine);
    }

    /** After a matrix was added, of which there are no results yet. */
    public Mono<Void> matrixAdded(WorkspaceId workspace) {
        return store.settle(workspace);
    }
}
