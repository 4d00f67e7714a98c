package dev.loomboard.measurement;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the criteria of adaptive phases said. Its JSON is the wire's Steady.
 *
 * @param criterion such as warm/1
 * @param warmupMs from the first hit until the level of the measurement began; null: it never did
 * @param drift how the level moved while measured, in words
 */
record SteadyState(
        String criterion,
        Verdict verdict,
        @Nullable Double warmupMs,
        @Nullable String drift,
        List<AdaptivePhase> phases) {

    public SteadyState {
        Check.text("criterion", criterion, 40);
        Check.present("verdict", verdict);
        Check.finiteOrNull("warmupMs", warmupMs);
        Check.optional("drift", drift, 2000);
        phases = Check.required("phases", phases, 100);
    }

    public enum Verdict {
        @JsonProperty("steady")
        STEADY,
        @JsonProperty("drift")
        DRIFT,
        @JsonProperty("no_steady_state")
        NO_STEADY_STATE
    }

    /** @param met false: the cap ended the phase, and {@code unmet} says what was lacking */
    public record AdaptivePhase(Phase phase, long atNs, double seconds, boolean met, List<String> unmet) {
        public AdaptivePhase {
            Check.present("phase", phase);
            Check.notNegative("atNs", atNs);
            Check.finite("seconds", seconds);
            unmet = Check.required("unmet", unmet, 20);
            unmet.forEach(why -> Check.text("unmet", why, 500));
        }
    }
}
