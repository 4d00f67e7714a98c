package dev.loomboard.run;

import java.util.Locale;

/**
 * <pre>
 * queued ──► leased ──► running ──► done | failed | cancelled
 *    │          │  ▲       │  ▲
 *    │          ▼  │       ▼  │ heartbeat or new lease
 *    │        disconnected ───┘──► failed (away too long, or leased too often)
 *    └──► cancelled
 * </pre>
 */
public enum RunState {
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

    /** As the tables and the API write it. */
    public String wire() {
        return name().toLowerCase(Locale.ROOT);
    }

    public static RunState of(String text) {
        return valueOf(text.toUpperCase(Locale.ROOT));
    }
}
