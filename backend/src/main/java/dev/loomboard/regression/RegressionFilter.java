package dev.loomboard.regression;

import dev.loomboard.web.Problem;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Which changes are asked for; null: any.
 *
 * @param state one of {@link #STATES}; null: see {@link #kinds}
 * @param machine slug; @param jdk slug of the first build of the new level; @param rerun external id of the run
 * @param limit of each kind
 */
public record RegressionFilter(
        @Nullable String state,
        @Nullable String machine,
        @Nullable String jdk,
        @Nullable String rerun,
        int limit) {

    /** A regression's triage, then what is none. */
    public static final List<String> STATES =
            List.of("open", "acknowledged", "expected", "fixed", "suspect", "improvement", "dropped", "retracted");

    static final int SHOWN = 100;
    static final int MOST = 300;

    /** Changes that a page sets together. @param direction as {@code triage}: empty: any */
    public record Kind(String status, String direction, String triage) {

        public static final Kind REGRESSION = new Kind("confirmed", "worse", "");
        static final Kind SUSPECT = new Kind("suspect", "", "");
        static final Kind IMPROVEMENT = new Kind("confirmed", "better", "");
        static final Kind DROPPED = new Kind("dropped", "", "");
        static final Kind RETRACTED = new Kind("retracted", "", "");

        /** Whatever its status was. */
        boolean retracted() {
            return equals(RETRACTED);
        }

        public static Kind of(String state) {
            return switch (state) {
                case "suspect" -> SUSPECT;
                case "improvement" -> IMPROVEMENT;
                case "dropped" -> DROPPED;
                case "retracted" -> RETRACTED;
                default -> new Kind("confirmed", "worse", state);
            };
        }
    }

    /** Of a page's query: what it does not know is ignored there. */
    public static RegressionFilter of(Map<String, String> query) {
        String state = query.get("state");
        return new RegressionFilter(
                state != null && STATES.contains(state) ? state : null,
                query.get("machine"),
                query.get("jdk"),
                query.get("rerun"),
                SHOWN);
    }

    /** Without a state all that stands; whoever asks what came of a rerun is told of the others too. */
    public List<Kind> kinds() {
        if (state != null) {
            return List.of(Kind.of(state));
        }
        return rerun == null
                ? List.of(Kind.REGRESSION, Kind.SUSPECT, Kind.IMPROVEMENT)
                : List.of(Kind.REGRESSION, Kind.SUSPECT, Kind.IMPROVEMENT, Kind.DROPPED, Kind.RETRACTED);
    }

    /** What is wrong with a script's request. */
    public static Optional<Problem.FieldError> problem(@Nullable String state, int limit) {
        if (state != null && !STATES.contains(state)) {
            return Optional.of(
                    new Problem.FieldError("state", "must be one of " + String.join(", ", STATES) + ", is: " + state));
        }
        return limit < 1 || limit > MOST
                ? Optional.of(new Problem.FieldError("limit", "must be from 1 to " + MOST + ", is: " + limit))
                : Optional.empty();
    }
}
