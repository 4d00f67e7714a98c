package dev.loomboard.scenario;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.loomboard.kernel.WireName;
import java.util.List;
import java.util.stream.Collectors;

/** How requests arrive. Rates are hits per second; its JSON is the wire's Load. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "profile")
@JsonSubTypes({
    @JsonSubTypes.Type(value = Load.Constant.class, name = "constant"),
    @JsonSubTypes.Type(value = Load.Poisson.class, name = "poisson"),
    @JsonSubTypes.Type(value = Load.Steps.class, name = "steps"),
    @JsonSubTypes.Type(value = Load.Ramp.class, name = "ramp"),
    @JsonSubTypes.Type(value = Load.Search.class, name = "search"),
    @JsonSubTypes.Type(value = Load.Closed.class, name = "closed"),
    @JsonSubTypes.Type(value = Load.Batch.class, name = "batch")
})
public sealed interface Load {

    /** The kinds of load, as keys and documents write them. */
    enum Profile implements WireName {
        CONSTANT,
        POISSON,
        STEPS,
        RAMP,
        SEARCH,
        CLOSED,
        BATCH
    }

    /** The load as a part of a scenario's key: the same load gives the same text for ever. */
    String canonical();

    /** The load in words. */
    String words();

    /** Seconds from the first hit to the end of the last step, at most. */
    double longestSeconds();

    /** One rate for a while. */
    record Constant(double rate, double seconds) implements Load {
        @Override
        public String canonical() {
            return "constant:rate=" + CanonicalText.number(rate) + ",seconds=" + CanonicalText.number(seconds);
        }

        @Override
        public String words() {
            return CanonicalText.number(rate) + "/s for " + CanonicalText.number(seconds) + " s";
        }

        @Override
        public double longestSeconds() {
            return seconds;
        }
    }

    /**
     * Random arrivals at a mean rate.
     *
     * @param seed the same seed sends the same hits at the same times
     */
    record Poisson(double rate, double seconds, int seed) implements Load {
        @Override
        public String canonical() {
            return "poisson:rate=" + CanonicalText.number(rate) + ",seconds=" + CanonicalText.number(seconds) + ",seed="
                    + seed;
        }

        @Override
        public String words() {
            return "random, " + CanonicalText.number(rate) + "/s on average for " + CanonicalText.number(seconds)
                    + " s";
        }

        @Override
        public double longestSeconds() {
            return seconds;
        }
    }

    /** Given rates one after the other, each for the same while. */
    record Steps(List<Double> rates, double seconds) implements Load {
        public Steps {
            rates = List.copyOf(rates);
        }

        @Override
        public String canonical() {
            String all = rates.stream().map(CanonicalText::number).collect(Collectors.joining("+"));
            return "steps:rates=" + all + ",seconds=" + CanonicalText.number(seconds);
        }

        @Override
        public String words() {
            String all = rates.stream().map(CanonicalText::number).collect(Collectors.joining(", "));
            return all + "/s for " + CanonicalText.number(seconds) + " s each";
        }

        @Override
        public double longestSeconds() {
            return rates.size() * seconds;
        }
    }

    /**
     * A rate that rises until a number of steps in a row have failed.
     *
     * @param quietSeconds without load after a step, before the forced GC
     * @param settleSeconds without load after that GC
     */
    record Ramp(
            double start,
            double step,
            double seconds,
            double quietSeconds,
            double settleSeconds,
            int stopAfterFailed,
            int maxSteps)
            implements Load {
        @Override
        public String canonical() {
            return "ramp:start=" + CanonicalText.number(start) + ",step=" + CanonicalText.number(step) + ",seconds="
                    + CanonicalText.number(seconds) + ",quietSeconds=" + CanonicalText.number(quietSeconds)
                    + ",settleSeconds=" + CanonicalText.number(settleSeconds) + ",stopAfterFailed=" + stopAfterFailed
                    + ",maxSteps=" + maxSteps;
        }

        @Override
        public String words() {
            return "from " + CanonicalText.number(start) + "/s up by " + CanonicalText.number(step) + "/s, "
                    + CanonicalText.number(seconds) + " s each, until " + stopAfterFailed + " steps in a row fail";
        }

        @Override
        public double longestSeconds() {
            return maxSteps * (seconds + quietSeconds + settleSeconds);
        }
    }

    /**
     * Looks for the highest rate that meets an objective.
     *
     * @param maxRate never more
     * @param discardSeconds of load before each step, not measured
     * @param precision how close a failed and the highest passed rate come, 0.03: 3 %
     * @param confirmations passes at the result before it counts
     * @param confirmSeconds of each
     * @param maxSteps without those of the curve
     * @param curveSteps equal shares of the rate that was found, each as long as any step
     * @param curveShares those in their place, each as long as a confirmation; empty: the equal ones
     */
    record Search(
            double start,
            double maxRate,
            double seconds,
            double discardSeconds,
            double precision,
            int confirmations,
            double confirmSeconds,
            int maxSteps,
            int curveSteps,
            @JsonInclude(JsonInclude.Include.NON_EMPTY) List<Double> curveShares,
            Objective objective)
            implements Load {

        public Search {
            curveShares = curveShares == null ? List.of() : List.copyOf(curveShares); // most matrices have none
        }

        /** Without shares of its own. */
        public Search(
                double start,
                double maxRate,
                double seconds,
                double discardSeconds,
                double precision,
                int confirmations,
                double confirmSeconds,
                int maxSteps,
                int curveSteps,
                Objective objective) {
            this(
                    start,
                    maxRate,
                    seconds,
                    discardSeconds,
                    precision,
                    confirmations,
                    confirmSeconds,
                    maxSteps,
                    curveSteps,
                    List.of(),
                    objective);
        }

        /**
         * @param responseMs at most, at the quantile
         * @param success share of the hits
         * @param achieved of the rate
         */
        public record Objective(double quantile, double responseMs, double success, double achieved) {
            String canonical() {
                return "quantile=" + CanonicalText.number(quantile) + ",responseMs=" + CanonicalText.number(responseMs)
                        + ",success=" + CanonicalText.number(success) + ",achieved=" + CanonicalText.number(achieved);
            }

            /** Such as "p99 ≤ 250 ms". */
            public String words() {
                return "p" + CanonicalText.number(Math.round(quantile * 1e6) / 1e4) + " ≤ "
                        + CanonicalText.number(responseMs) + " ms";
            }
        }

        @Override
        public String canonical() {
            return "search:start=" + CanonicalText.number(start) + ",maxRate=" + CanonicalText.number(maxRate)
                    + ",seconds="
                    + CanonicalText.number(seconds) + ",discardSeconds=" + CanonicalText.number(discardSeconds)
                    + ",precision=" + CanonicalText.number(precision) + ",confirmations=" + confirmations
                    + ",confirmSeconds=" + CanonicalText.number(confirmSeconds) + ",maxSteps=" + maxSteps
                    + ",curveSteps="
                    + curveSteps + shares() + "," + objective.canonical();
        }

        /** Left out where there are none: keys of before have none. */
        private String shares() {
            return curveShares.isEmpty()
                    ? ""
                    : curveShares.stream()
                            .map(CanonicalText::number)
                            .collect(Collectors.joining("+", ",curveShares=", ""));
        }

        @Override
        public String words() {
            return "the highest rate with " + objective.words() + ", from " + CanonicalText.number(start) + "/s on, "
                    + CanonicalText.number(seconds) + " s a step"
                    + (curveShares.isEmpty()
                            ? ""
                            : curveShares.stream()
                                    .map(share -> CanonicalText.number(StrictMath.round(share * 1e4) / 1e2) + " %")
                                    .collect(Collectors.joining(", ", ", then the latency at ", " of it")));
        }

        @Override
        public double longestSeconds() {
            double curve = curveShares.isEmpty()
                    ? curveSteps * (discardSeconds + seconds)
                    : curveShares.size() * (discardSeconds + confirmSeconds);
            return maxSteps * (discardSeconds + seconds) + confirmations * (discardSeconds + confirmSeconds) + curve;
        }
    }

    /** A number of connections, each of which sends its next request when the last is answered: nothing has an intended time. */
    record Closed(int connections, double seconds) implements Load {
        @Override
        public String canonical() {
            return "closed:connections=" + connections + ",seconds=" + CanonicalText.number(seconds);
        }

        @Override
        public String words() {
            return connections + (connections == 1 ? " connection" : " connections") + " kept busy for "
                    + CanonicalText.number(seconds) + " s";
        }

        @Override
        public double longestSeconds() {
            return seconds;
        }
    }

    /** No requests under load: the server's own task, one run after the other. */
    record Batch(int preRuns, int runs) implements Load {
        @Override
        public String canonical() {
            return "batch:preRuns=" + preRuns + ",runs=" + runs;
        }

        @Override
        public String words() {
            return "the server's own task, " + runs + " runs after " + preRuns;
        }

        /** How long a task takes is what is to be found out: a run is planned at its timeout's order. */
        @Override
        public double longestSeconds() {
            return (preRuns + runs) * 10.0;
        }
    }
}
