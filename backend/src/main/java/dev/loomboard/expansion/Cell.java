package dev.loomboard.expansion;

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
        ServerVariant server,
        PlannedScenario scenario,
        double declaredDelayMs,
        CellSettings settings,
        JdkBuild jdk) {}
