package dev.loomboard.plan;

import dev.loomboard.cell.Limits;
import dev.loomboard.cell.TrialKind;
import dev.loomboard.expansion.TrialPlan;
import dev.loomboard.expansion.TrialSlot;
import dev.loomboard.kernel.ExternalId;
import dev.loomboard.matrix.MatrixSpec;
import dev.loomboard.plan.Assignment.PlannedTrial;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** The trials of one lease: those of the matrix that have not ended under an earlier lease, in the matrix's order. */
public final class Plan {

    private Plan() {}

    /** A trial of the run that has ended, well or badly: it is not made again. */
    public record EndedTrial(long cell, TrialKind kind, int ordinal) {}

    /** @param cell internal key of the trial's cell */
    public record Planned(long cell, PlannedTrial trial) {}

    /** @param seed of the run's order */
    public static List<Planned> of(MatrixSpec.Trials trials, long seed, List<StoredCell> cells, Set<EndedTrial> ended) {
        List<Planned> planned = new ArrayList<>();
        for (TrialSlot slot : TrialPlan.of(
                places(trials, cells),
                cell -> cells.get(cell).scored(),
                cell -> cells.get(cell).agentJdk() == null ? 0 : trials.diagnostic(),
                seed)) {
            StoredCell cell = cells.get(slot.cell());
            if (!ended.contains(new EndedTrial(cell.key(), slot.kind(), slot.ordinal()))) {
                planned.add(new Planned(cell.key(), trial(cell, slot)));
            }
        }
        return List.copyOf(planned);
    }

    /** The blocks of scored trials, in the matrix's order; cells by their place in the list. */
    public static List<List<TrialSlot>> blocks(MatrixSpec.Trials trials, long seed, List<StoredCell> cells) {
        return TrialPlan.blocks(places(trials, cells), cell -> cells.get(cell).scored(), seed);
    }

    private static List<TrialPlan.Place> places(MatrixSpec.Trials trials, List<StoredCell> cells) {
        return cells.stream()
                .map(cell ->
                        TrialPlan.Place.of(trials, cell.group(), cell.scenario().key()))
                .toList();
    }

    private static PlannedTrial trial(StoredCell cell, TrialSlot slot) {
        return new PlannedTrial(
                ExternalId.random("trl").value(),
                cell.id(),
                slot.kind(),
                slot.ordinal(),
                slot.position(),
                cell.server(),
                cell.variant(),
                cell.agentJdk(),
                new Assignment.Scenario(
                        cell.scenario().workload(),
                        cell.scenario().version(),
                        cell.scenario().params(),
                        cell.scenario().load(),
                        cell.scenario().delay()),
                cell.agentJdk() == null ? null : cell.collector(),
                cell.limits().equals(Limits.NONE) ? null : cell.limits());
    }
}
