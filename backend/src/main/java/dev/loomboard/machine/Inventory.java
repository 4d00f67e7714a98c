package dev.loomboard.machine;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.loomboard.catalog.Doctor;
import dev.loomboard.catalog.ServerOffer;
import dev.loomboard.jdk.JdkReport;
import dev.loomboard.web.Wire;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a machine has. Its JSON is the wire's Inventory. @param doctor null: the agent did not look; @param qualification null: it never was */
public record Inventory(
        String agentVersion,
        Host host,
        List<JdkReport> jdks,
        List<ExcludedJdk> excludedJdks,
        List<ServerOffer> servers,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Doctor doctor,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Qualification qualification) {

    private static final int MOST_JDKS = 100;
    private static final int MOST_SERVERS = 200;

    public Inventory {
        Wire.text("agentVersion", agentVersion, 60);
        Wire.present("host", host);
        jdks = Wire.list("jdks", jdks, MOST_JDKS);
        excludedJdks = Wire.list("excludedJdks", excludedJdks, MOST_JDKS);
        servers = Wire.list("servers", servers, MOST_SERVERS);
        distinct("jdks", "slug", jdks.stream().map(JdkReport::slug).toList());
        distinct("jdks", "identity", jdks.stream().map(JdkReport::identity).toList());
        distinct("servers", "name", servers.stream().map(ServerOffer::name).toList());
    }

    /** @param facts what the hashes are made of, and others shown beside them */
    public record Host(String fingerprintHash, String classHash, String classLabel, Map<String, Object> facts) {
        public Host {
            Wire.matching("fingerprintHash", fingerprintHash, Wire.SHA256);
            Wire.matching("classHash", classHash, Wire.SHA256);
            Wire.text("classLabel", classLabel, 200);
            Wire.present("facts", facts);
        }
    }

    /** A JDK that was found and is not measured. */
    public record ExcludedJdk(String version, String reason) {
        public ExcludedJdk {
            Wire.text("version", version, 120);
            Wire.text("reason", reason, 500);
        }
    }

    private static void distinct(String list, String field, List<String> values) {
        if (values.stream().distinct().count() < values.size()) {
            throw new Wire.Refused(list, "must have each " + field + " once");
        }
    }
}
