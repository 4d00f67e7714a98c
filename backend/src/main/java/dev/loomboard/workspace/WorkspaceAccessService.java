package dev.loomboard.workspace;

import dev.loomboard.kernel.Caller;
import dev.loomboard.kernel.Right;
import dev.loomboard.web.Problem;
import org.springframework.stereotype.Service;
import reactor.core.publisher.Mono;

/** Finds the workspace that an address names, for who may do there what is asked. */
@Service
public class WorkspaceAccessService {

    private final WorkspaceReadStore workspaces;

    WorkspaceAccessService(WorkspaceReadStore workspaces) {
        this.workspaces = workspaces;
    }

    /** An error of 404 when the caller may not see it. */
    Mono<WorkspaceView> seen(Caller caller, String slug) {
        return workspaces
                .find(caller, slug)
                .switchIfEmpty(Mono.error(() -> Problem.notFound().asException()));
    }

    /** An error of 403 as well, when the caller sees it and lacks the right. */
    public Mono<WorkspaceView> with(Right right, Caller caller, String slug) {
        return seen(caller, slug)
                .flatMap(workspace -> caller.may(right, workspace.key())
                        ? Mono.just(workspace)
                        : Mono.error(
                                () -> WorkspaceRefusal.lacks(right, workspace).asException()));
    }
}
