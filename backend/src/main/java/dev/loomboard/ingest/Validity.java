package dev.loomboard.ingest;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Locale;

/** Health of the load generator in a step: invalid never ranks. */
enum Validity {
    @JsonProperty("valid")
    VALID,
    @JsonProperty("suspect")
    SUSPECT,
    @JsonProperty("invalid")
    INVALID;

    /** As the wire and the tables write it. */
    String wire() {
        return name().toLowerCase(Locale.ROOT);
    }
}
