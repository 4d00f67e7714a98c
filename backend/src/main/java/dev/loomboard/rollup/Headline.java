package dev.loomboard.rollup;

import dev.loomboard.scenario.Load;
import dev.loomboard.stats.latency.Eligibility;
import dev.loomboard.stats.latency.Quantile;
import java.util.Optional;

/** The one metric that a scenario ranks by. Its load declares it, never what came of a measurement. */
public final class Headline {

    private Headline() {}

    /**
     * Empty for loads that declare none: the numbers of a ramp are those of the last step it withstood, which differs
     * from trial to trial.
     */
    public static Optional<String> of(Load load) {
        return switch (load) {
            case Load.Constant constant -> Optional.of(response(constant.rate(), constant.seconds()));
            case Load.Poisson poisson -> Optional.of(response(poisson.rate(), poisson.seconds()));
            case Load.Closed closed -> Optional.of("throughput_per_s");
            case Load.Search search -> Optional.of("max_rate_per_s");
            case Load.Steps steps -> Optional.empty();
            case Load.Ramp ramp -> Optional.empty();
            case Load.Batch batch -> Optional.empty();
        };
    }

    /** p99 where the load sends enough for it to be judged if nothing goes wrong, else the median. */
    private static String response(double rate, double seconds) {
        return Eligibility.possible(Quantile.P99, Math.round(rate * seconds), (int) Math.floor(seconds))
                ? "response_p99_ms"
                : "response_p50_ms";
    }
}
