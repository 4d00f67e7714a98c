package dev.loomboard.firststeps;

import dev.loomboard.cell.RunState;
import dev.loomboard.machine.MachineView;
import org.jspecify.annotations.Nullable;

/**
 * How far a person is on the way to a first result and to nights that repeat it.
 *
 * @param machine of the person's workspaces the one that called last; null: there is none
 * @param online whether its agent calls
 * @param run the newest of the person's workspaces; null: there is none
 * @param first what is to be measured first; null: the person may not see it
 * @param nightly what is to be measured every night; null: likewise
 */
public record FirstSteps(
        MachineView.@Nullable Summary machine,
        boolean online,
        @Nullable Run run,
        @Nullable Matrix first,
        @Nullable Matrix nightly,
        boolean scheduled) {

    /** @param id external id */
    public record Run(String id, String title, RunState state) {

        /** Whether its results are on their way. */
        public boolean underWay() {
            return !state.isOver();
        }
    }

    /** @param id external id */
    public record Matrix(String id, String workspace, String slug, String title) {}

    /** Whether a run is made or on its way, so that nobody need start another. */
    public boolean measured() {
        return run != null && (run.underWay() || run.state() == RunState.DONE);
    }
}
