package dev.loomboard.cell;

import java.time.Instant;

/**
 * Of a run that came in a bundle. Its other times are those of where it was measured.
 *
 * @param service address of that service, as the bundle says
 * @param run external id there
 * @param agentVersion of the agent that measured it; several, with commas between; empty: no trial began
 * @param machineAdmitted to public ranks here
 */
public record Imported(
        String service,
        String run,
        Instant exportedAt,
        Instant importedAt,
        String agentVersion,
        boolean machineAdmitted) {}
