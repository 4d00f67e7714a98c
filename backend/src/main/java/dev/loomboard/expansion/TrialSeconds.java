package dev.loomboard.expansion;

import dev.loomboard.cell.TrialKind;
import dev.loomboard.matrix.MatrixSpec;
import dev.loomboard.scenario.Load;
import java.util.Map;

/**
 * How long trials of a spec are estimated to take. Phases that end by a criterion end well before their caps, so the most that trials may
 * take would leave half of a night's budget unused.
 *
 * @param taken by load, what the machine's last scored trials of the same protocol took in the median; what is not there is
 *     estimated by the longest time that it may take
 */
public record TrialSeconds(MatrixSpec spec, Map<Load, Double> taken) {

    public TrialSeconds {
        taken = Map.copyOf(taken);
    }

    public double scored(Load load) {
        Double seconds = taken.get(load);
        return seconds == null ? spec.longestSeconds(load, TrialKind.SCORED) : seconds;
    }

    /** Of all trials of a layout, one after the other. */
    public double all(Expansion expansion) {
        return expansion.trials().stream()
                .mapToDouble(trial -> {
                    Load load = expansion.cells().get(trial.cell()).scenario().load();
                    return trial.kind() == TrialKind.SCORED ? scored(load) : spec.longestSeconds(load, trial.kind());
                })
                .sum();
    }

    /** Of all trials of a cell. */
    public double cell(Load load) {
        return spec.trials().scored() * scored(load)
                + spec.trials().diagnostic() * spec.longestSeconds(load, TrialKind.DIAGNOSTIC);
    }
}
