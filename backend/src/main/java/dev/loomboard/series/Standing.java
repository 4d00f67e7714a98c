package dev.loomboard.series;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Whether a cell's numbers rank.
 *
 * @param name ranked, provisional or unranked
 * @param reasons why not ranked, in words, each with what is the cell's own in parentheses; empty: ranked
 */
record Standing(String name, List<String> reasons) {

    Standing {
        reasons = List.copyOf(reasons);
    }

    /** What befell trials, of one and of several. */
    private enum Fault {
        FAILED("failed", "failed"),
        ABORTED("was aborted", "were aborted"),
        NOTHING("measured nothing", "measured nothing"),
        INVALID("is invalid", "are invalid"),
        UNSTEADY("never reached a steady state", "never reached a steady state"),
        SUSPECT("is suspect", "are suspect"),
        DRIFTED("drifted while measured", "drifted while measured");

        private final String ofOne;
        private final String ofMany;

        Fault(String ofOne, String ofMany) {
            this.ofOne = ofOne;
            this.ofMany = ofMany;
        }

        /** Null: nothing did. */
        static @Nullable Fault of(CellFacts.Trial trial) {
            if (!trial.done()) {
                return trial.state().equals("failed") ? FAILED : ABORTED;
            }
            return switch (trial.validity()) {
                case null -> NOTHING;
                case "invalid" -> INVALID;
                case String usable when "no_steady_state".equals(trial.steady()) -> UNSTEADY;
                case "suspect" -> SUSPECT;
                case String valid when "drift".equals(trial.steady()) -> DRIFTED;
                case String valid -> null;
            };
        }

        boolean spoils() {
            return this != SUSPECT && this != DRIFTED;
        }
    }

    static final int TRIALS_TO_RANK = 10;
    static final String SAME_HOST = "same-host";

    /** Of a cell whose scored trials have all ended. */
    static Standing of(CellFacts cell) {
        List<String> broken = broken(cell.scored());
        if (!broken.isEmpty()) {
            return new Standing("unranked", broken);
        }
        List<String> weak = weak(cell);
        return weak.isEmpty() ? new Standing("ranked", weak) : new Standing("provisional", weak);
    }

    /** All reasons as one sentence; null: ranked. */
    @Nullable
    String reason() {
        return reasons.isEmpty() ? null : String.join("; ", reasons);
    }

    private static List<String> broken(List<CellFacts.Trial> trials) {
        List<String> reasons = faults(trials, true);
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
        reasons.addAll(faults(trials, false));
        if (!cell.qualified()) {
            reasons.add("the machine has not passed its qualification");
        }
        if (SAME_HOST.equals(cell.placement())) {
            reasons.add("load and server shared the machine's cores");
        }
        return reasons;
    }

    /** One sentence for all trials that the same befell for the same reason. */
    private static List<String> faults(List<CellFacts.Trial> trials, boolean spoilt) {
        Map<Said, List<CellFacts.Trial>> by = new LinkedHashMap<>();
        for (CellFacts.Trial trial : trials) {
            Fault fault = Fault.of(trial);
            if (fault != null && fault.spoils() == spoilt) {
                by.computeIfAbsent(new Said(fault, trial.reason()), said -> new ArrayList<>())
                        .add(trial);
            }
        }
        List<String> sentences = new ArrayList<>();
        by.forEach((said, of) -> sentences.add(said.sentence(of)));
        return sentences;
    }

    private record Said(Fault fault, @Nullable String why) {
        String sentence(List<CellFacts.Trial> trials) {
            String numbers =
                    trials.stream().map(t -> String.valueOf(t.ordinal())).collect(Collectors.joining(", "));
            return (trials.size() == 1
                            ? "trial " + numbers + " " + fault.ofOne
                            : "trials " + numbers + " " + fault.ofMany)
                    + (why == null ? "" : " (" + why + ")");
        }
    }

    private static boolean differ(List<CellFacts.Trial> trials, Function<CellFacts.Trial, @Nullable String> fact) {
        return trials.stream().map(fact).filter(Objects::nonNull).distinct().count() > 1;
    }
}
