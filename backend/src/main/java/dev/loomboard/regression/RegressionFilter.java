package dev.loomboard.regression;

import dev.loomboard.changepoint.ChangeDirection;
import dev.loomboard.changepoint.ChangeStatus;
import dev.loomboard.kernel.WireName;
import dev.loomboard.web.Problem;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Which changes are asked for; null: any.
 *
 * @param state null: see {@link #kinds}
 * @param machine slug
 * @param jdk slug of the first build of the new level
 * @param rerun external id of the run
 * @param limit of each kind
 */
public record RegressionFilter(
        @Nullable State state,
        @Nullable String machine,
        @Nullable String jdk,
        @Nullable String rerun,
        int limit) {

    /** What the inbox can be asked for: a regression's triage, then what is none. */
    public enum State implements WireName {
        OPEN(Kind.of(TriageState.OPEN)),
        ACKNOWLEDGED(Kind.of(TriageState.ACKNOWLEDGED)),
        EXPECTED(Kind.of(TriageState.EXPECTED)),
        FIXED(Kind.of(TriageState.FIXED)),
        SUSPECT(Kind.SUSPECT),
        IMPROVEMENT(Kind.IMPROVEMENT),
        CLEARED(Kind.CLEARED),
        RETRACTED(Kind.RETRACTED);

        private final Kind kind;

        State(Kind kind) {
            this.kind = kind;
        }

        public Kind kind() {
            return kind;
        }
    }

    /** As addresses write them. */
    public static final List<String> STATES =
            Stream.of(State.values()).map(State::wire).toList();

    static final int SHOWN = 100;
    static final int MOST = 300;

    /**
     * Changes that a page shows together.
     *
     * @param status null: what is retracted, whatever its status was
     * @param direction null: either
     * @param triage null: any
     */
    public record Kind(
            @Nullable ChangeStatus status,
            @Nullable ChangeDirection direction,
            @Nullable TriageState triage) {

        public static final Kind REGRESSION = new Kind(ChangeStatus.CONFIRMED, ChangeDirection.WORSE, null);
        static final Kind SUSPECT = new Kind(ChangeStatus.SUSPECT, null, null);
        static final Kind IMPROVEMENT = new Kind(ChangeStatus.CONFIRMED, ChangeDirection.BETTER, null);
        static final Kind CLEARED = new Kind(ChangeStatus.CLEARED, null, null);
        static final Kind RETRACTED = new Kind(null, null, null);

        private static Kind of(TriageState triage) {
            return new Kind(ChangeStatus.CONFIRMED, ChangeDirection.WORSE, triage);
        }
    }

    /** Of a page's query: what it does not know is ignored there. */
    public static RegressionFilter of(Map<String, String> query) {
        return new RegressionFilter(
                WireName.find(State.class, query.getOrDefault("state", "")).orElse(null),
                query.get("machine"),
                query.get("jdk"),
                query.get("rerun"),
                SHOWN);
    }

    /** Without a state all that are not cleared or retracted; for one rerun all. */
    public List<Kind> kinds() {
        if (state != null) {
            return List.of(state.kind());
        }
        return rerun == null
                ? List.of(Kind.REGRESSION, Kind.SUSPECT, Kind.IMPROVEMENT)
                : List.of(Kind.REGRESSION, Kind.SUSPECT, Kind.IMPROVEMENT, Kind.CLEARED, Kind.RETRACTED);
    }

    /** What is wrong with a script's request. */
    public static Optional<Problem.FieldError> problem(int limit) {
        return limit < 1 || limit > MOST
                ? Optional.of(new Problem.FieldError("limit", "must be from 1 to " + MOST + ", is: " + limit))
                : Optional.empty();
    }
}
