package dev.loomboard.measurement;

import dev.loomboard.kernel.WireName;
import java.util.Locale;

/** What the criteria of adaptive phases said of a trial. */
public enum Steadiness implements WireName {
    STEADY,
    DRIFT,
    NO_STEADY_STATE;

    @Override
    public String wire() {
        return name().toLowerCase(Locale.ROOT);
    }
}
