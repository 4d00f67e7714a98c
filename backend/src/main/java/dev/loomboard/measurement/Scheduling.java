package dev.loomboard.measurement;

import com.fasterxml.jackson.annotation.JsonProperty;

/** How the host scheduled the load process: before all ordinary threads, or as one of them. */
enum Scheduling {
    @JsonProperty("realtime")
    REALTIME,
    @JsonProperty("ordinary")
    ORDINARY
}
