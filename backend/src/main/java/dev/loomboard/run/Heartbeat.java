package dev.loomboard.run;

import dev.loomboard.web.ExternalId;
import dev.loomboard.web.Wire;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The wire's Heartbeat: how far a run is. */
record Heartbeat(
        long fencing,
        @Nullable String trialId,
        @Nullable String phase,
        int done,
        int total,
        @Nullable Instant expectedEnd,
        @Nullable Integer spooled) {

    private static final List<String> PHASES =
            List.of("provision", "start", "verify", "warmup", "gc", "settle", "rewarm", "measure", "stop", "collect");
    private static final int MOST = 1_000_000;

    Heartbeat {
        if (trialId != null && !ExternalId.isOf("trl", trialId)) {
            throw new IllegalArgumentException("trialId must be trl_ and 20 characters of a-z and 2-7");
        }
        if (phase != null) {
            Wire.oneOf("phase", phase, PHASES);
        }
        Wire.between("total", total, 0, MOST);
        Wire.between("done", done, 0, total);
    }

    Progress progress() {
        return new Progress(trialId, phase, done, total, expectedEnd, spooled);
    }
}
