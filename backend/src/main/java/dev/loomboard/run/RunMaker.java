package dev.loomboard.run;

import dev.loomboard.kernel.Caller;
import dev.loomboard.kernel.Internal;
import dev.loomboard.kernel.Right;
import dev.loomboard.kernel.WorkspaceId;

/**
 * Who queued a run, for deciding who may cancel it.
 *
 * @param actor external id of the account, token, schedule or change
 */
public record RunMaker(WorkspaceId workspace, String actor) implements Internal {

    public boolean mayCancel(Caller caller) {
        return mayCancel(caller, workspace, actor);
    }

    public static boolean mayCancel(Caller caller, WorkspaceId workspace, String actor) {
        return caller.may(Right.CANCEL_RUNS, workspace)
                || caller.may(Right.RUN, workspace) && caller.actor().equals(actor);
    }
}
