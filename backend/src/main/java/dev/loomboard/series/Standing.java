package dev.loomboard.series;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Whether a cell's numbers rank.
 *
 * @param name ranked, provisional or unranked
 * @param reason all reasons why not ranked, in words; null: ranked
 */
record Standing(String name, @Nullable String reason) {

    static final int TRIALS_TO_RANK = 10;
    static final String SAME_HOST = "same-host";

    /** Of a cell whose scored trials have all ended. */
    static Standing of(CellFacts cell) {
        List<String> broken = broken(cell.scored());
        if (!broken.isEmpty()) {
            return new Standing("unranked", String.join("; ", broken));
        }
        List<String> weak = weak(cell);
        return weak.isEmpty() ? new Standing("ranked", null) : new Standing("provisional", String.join("; ", weak));
    }

    private static List<String> broken(List<CellFacts.Trial> trials) {
        List<String> reasons = new ArrayList<>();
        for (CellFacts.Trial trial : trials) {
            if (!trial.done()) {
                reasons.add(said(trial, trial.state().equals("failed") ? "failed" : "was aborted"));
            } else if (trial.validity() == null) {
                reasons.add(said(trial, "measured nothing"));
            } else if (trial.validity().equals("invalid")) {
                reasons.add(said(trial, "is invalid"));
            }
        }
        if (differ(trials, CellFacts.Trial::serverDigest)) {
            reasons.add("its trials ran different builds of the server");
        }
        if (differ(trials, CellFacts.Trial::fingerprintHash)) {
            reasons.add("the host changed between its trials");
        }
        return reasons;
    }

    private static List<String> weak(CellFacts cell) {
        List<String> reasons = new ArrayList<>();
        List<CellFacts.Trial> trials = cell.scored();
        if (trials.size() < TRIALS_TO_RANK) {
            reasons.add(trials.size() + (trials.size() == 1 ? " trial" : " trials") + " of the " + TRIALS_TO_RANK
                    + " that a rank needs");
        }
        trials.stream()
                .filter(trial -> "suspect".equals(trial.validity()))
                .forEach(trial -> reasons.add(said(trial, "is suspect")));
        if (!cell.qualified()) {
            reasons.add("the machine has not passed its qualification");
        }
        if (SAME_HOST.equals(cell.placement())) {
            reasons.add("load and server shared the machine's cores");
        }
        return reasons;
    }

    private static String said(CellFacts.Trial trial, String what) {
        String why = trial.reason() == null ? "" : " (" + trial.reason() + ")";
        return "trial " + trial.ordinal() + " " + what + why;
    }

    private static boolean differ(List<CellFacts.Trial> trials, Function<CellFacts.Trial, @Nullable String> fact) {
        return trials.stream().map(fact).filter(Objects::nonNull).distinct().count() > 1;
    }
}
