package dev.loomboard.workspace;

import dev.loomboard.kernel.Right;
import dev.loomboard.web.Problem;

/** What the pages of workspaces refuse with. */
final class WorkspaceRefusal {

    private WorkspaceRefusal() {}

    /** To a person who may know that it is there. */
    static Problem lacks(Right right, WorkspaceView workspace) {
        return Problem.of(
                403,
                "lacks-right",
                "Not allowed",
                "Your role in workspace " + workspace.slug() + " does not let you " + right.words()
                        + ". Ask an owner of it.");
    }

    static Problem lastOwner() {
        return Problem.conflict(
                "last-owner",
                "A workspace needs an owner who can sign in. Make somebody else an owner first, or delete the workspace.");
    }
}
