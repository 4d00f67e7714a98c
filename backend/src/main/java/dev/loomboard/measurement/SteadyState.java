package dev.loomboard.measurement;

import dev.loomboard.kernel.FieldChecks;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the criteria of adaptive phases said. Its JSON is the wire's Steady.
 *
 * @param criterion such as warm/1
 * @param warmupMs from the first hit until the level of the measurement began; null: it never did
 * @param drift how the level moved while measured, in words
 */
public record SteadyState(
        String criterion,
        Steadiness verdict,
        @Nullable Double warmupMs,
        @Nullable String drift,
        List<AdaptivePhase> phases)
        implements Checked {

    @Override
    public void check() {
        FieldChecks.atMost("criterion", criterion, 40);
        FieldChecks.present("verdict", verdict);
        FieldChecks.finite("warmupMs", warmupMs);
        FieldChecks.atMostOrNull("drift", drift, 2000);
        FieldChecks.list("phases", phases, 100);
    }

    /** @param met false: the cap ended the phase, and {@code unmet} says what was lacking */
    public record AdaptivePhase(Phase phase, long atNs, double seconds, boolean met, List<String> unmet)
            implements Checked {
        @Override
        public void check() {
            FieldChecks.present("phase", phase);
            FieldChecks.notNegative("atNs", atNs);
            FieldChecks.finite("seconds", seconds);
            FieldChecks.list("unmet", unmet, 20);
            unmet.forEach(why -> FieldChecks.atMost("unmet", why, 500));
        }
    }
}
