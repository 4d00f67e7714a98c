package dev.loomboard.ingest;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.loomboard.catalog.Doctor;
import dev.loomboard.web.Wire;
import java.time.Instant;
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

    TrialStart {
        Wire.instant("anchor", anchor);
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
        return Wire.instant("anchor", anchor);
    }
}
