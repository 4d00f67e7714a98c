package dev.loomboard.measurement;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Locale;

/** Health of the load generator in a step: invalid never ranks. */
public enum Validity {
    @JsonProperty("valid")
    VALID,
    @JsonProperty("suspect")
    SUSPECT,
    @JsonProperty("invalid")
    INVALID;

    /** As the wire and the tables write it. */
    public String wire() {
        return name().toLowerCase(Locale.ROOT);
    }
}
