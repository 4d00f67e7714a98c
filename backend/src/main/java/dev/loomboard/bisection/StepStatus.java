package dev.loomboard.bisection;

import dev.loomboard.kernel.WireName;

/** Of a step of a bisection. */
public enum StepStatus implements WireName {
    /** Its run is not over. */
    QUEUED,
    MEASURED,
    /** Its run could not be made, or gave nothing that can be used. */
    INVALID
}
