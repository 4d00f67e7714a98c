package dev.loomboard.matrix;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.loomboard.cell.CellSettings;
import dev.loomboard.cell.ServerVariant;
import dev.loomboard.jdk.JdkBuild;

/**
 * One point of an expanded matrix.
 *
 * @param ordinal place in the matrix, from 0
 * @param declaredDelayMs what the workload itself waits, and one round trip of a delayed database; response excess = response − this
 */
public record Cell(
        int ordinal,
        @JsonUnwrapped ServerVariant server,
        @JsonUnwrapped PlannedScenario scenario,
        double declaredDelayMs,
        @JsonUnwrapped CellSettings settings,
        @JsonIgnore JdkBuild jdk) {}
