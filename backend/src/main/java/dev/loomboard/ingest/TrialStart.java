package dev.loomboard.ingest;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.loomboard.catalog.Doctor;
import dev.loomboard.web.Wire;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a trial's first batch says of it. Its JSON is the wire's TrialStart.
 *
 * @param anchor the agent's wall clock at offset 0, RFC 3339; kept as text because a number must not pass for a time
 * @param serverDigest null: the artefact was not there
 * @param doctor of the machine when the run began; null: not looked at
 * @param commandLine with the machine's folders replaced
 */
record TrialStart(
        String anchor,
        String agentVersion,
        String fingerprintHash,
        String classHash,
        String jdk,
        @JsonProperty(required = true) @Nullable String serverDigest,
        String collector,
        int heapMiB,
        List<String> commandLine,
        double tickHz,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Doctor doctor) {

    /** Clocks are wrong, but not by decades; PostgreSQL cannot store every year that Java can read. */
    private static final Instant EARLIEST = Instant.parse("2000-01-01T00:00:00Z");

    private static final Instant LATEST = Instant.parse("2200-01-01T00:00:00Z");

    TrialStart {
        instant("anchor", anchor);
        Check.text("agentVersion", agentVersion, 60);
        Check.matching("fingerprintHash", fingerprintHash, Check.SHA256);
        Check.matching("classHash", classHash, Check.SHA256);
        Check.matching("jdk", jdk, Check.JDK_SLUG);
        if (serverDigest != null) {
            Check.matching("serverDigest", serverDigest, Check.SHA256);
        }
        Check.text("collector", collector, 60);
        Check.notNegative("heapMiB", heapMiB);
        commandLine = Check.required("commandLine", commandLine, 200);
        for (int i = 0; i < commandLine.size(); i++) {
            Check.text("commandLine[" + i + "]", commandLine.get(i), 2000);
        }
        Check.finite("tickHz", tickHz);
    }

    /** The agent's wall clock at offset 0. */
    Instant began() {
        return instant("anchor", anchor);
    }

    static Instant instant(String field, @Nullable String text) {
        try {
            Instant instant = OffsetDateTime.parse(Check.present(field, text)).toInstant();
            if (instant.isBefore(EARLIEST) || instant.isAfter(LATEST)) {
                throw new Wire.Refused(field, "must be a time between 2000 and 2200");
            }
            return instant;
        } catch (DateTimeException e) {
            throw new Wire.Refused(field, "must be a time such as 2026-11-21T02:55:00.123456789Z");
        }
    }
}
