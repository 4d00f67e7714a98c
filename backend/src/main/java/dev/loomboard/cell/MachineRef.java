package dev.loomboard.cell;

import com.fasterxml.jackson.annotation.JsonProperty;

/** @param id external id, mac_… */
public record MachineRef(
        @JsonProperty("machine") String id,
        @JsonProperty("machineSlug") String slug,
        @JsonProperty("machineName") String name) {}
