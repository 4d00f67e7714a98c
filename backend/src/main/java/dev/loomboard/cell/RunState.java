package dev.loomboard.cell;

import dev.loomboard.kernel.WireName;

/**
 * <pre>
 * queued ──► leased ──► running ──► done | failed | cancelled
 *    │          │  ▲       │  ▲
 *    │          ▼  │       ▼  │ heartbeat or new lease
 *    │        disconnected ───┘──► failed (away too long, or leased too often)
 *    └──► cancelled
 * </pre>
 */
public enum RunState implements WireName {
    QUEUED,
    LEASED,
    RUNNING,
    DISCONNECTED,
    DONE,
    FAILED,
    CANCELLED;

    /** True for good: such a run never changes again. */
    public boolean isOver() {
        return switch (this) {
            case DONE, FAILED, CANCELLED -> true;
            case QUEUED, LEASED, RUNNING, DISCONNECTED -> false;
        };
    }
}
