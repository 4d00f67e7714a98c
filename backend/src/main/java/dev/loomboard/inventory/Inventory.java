package dev.loomboard.inventory;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.loomboard.jdk.JdkReport;
import dev.loomboard.kernel.FieldChecks;
import dev.loomboard.measurement.DoctorReport;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a machine has. Its JSON is the wire's Inventory.
 *
 * @param doctor null: the agent did not look
 * @param qualification the last that was not cut short; null: there is none
 * @param qualifications the last attempts, of whatever outcome, oldest first; null: an agent that keeps only the last
 * @param labels that its configuration gives the machine; null: none
 */
public record Inventory(
        String agentVersion,
        Host host,
        List<JdkReport> jdks,
        List<ExcludedJdk> excludedJdks,
        List<ServerOffer> servers,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable DoctorReport doctor,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Qualification qualification,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable List<Qualification> qualifications,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable List<String> labels) {

    private static final int MOST_JDKS = 100;
    private static final int MOST_SERVERS = 200;
    private static final int MOST_ATTEMPTS = 20;

    public Inventory {
        FieldChecks.text("agentVersion", agentVersion, 60);
        FieldChecks.present("host", host);
        jdks = FieldChecks.list("jdks", jdks, MOST_JDKS);
        excludedJdks = FieldChecks.list("excludedJdks", excludedJdks, MOST_JDKS);
        servers = FieldChecks.list("servers", servers, MOST_SERVERS);
        qualifications = FieldChecks.listOrNull("qualifications", qualifications, MOST_ATTEMPTS);
        labels = FieldChecks.listOrNull("labels", labels, Labels.MOST);
        for (int i = 0; labels != null && i < labels.size(); i++) {
            FieldChecks.matching("labels[" + i + "]", labels.get(i), Labels.FORM);
        }
        distinct("jdks", "slug", jdks.stream().map(JdkReport::slug).toList());
        distinct("jdks", "identity", jdks.stream().map(JdkReport::identity).toList());
        distinct("servers", "name", servers.stream().map(ServerOffer::name).toList());
    }

    String[] offeredLabels() {
        return labels == null ? new String[0] : labels.stream().distinct().toArray(String[]::new);
    }

    /** Attempts at a qualification that the agent reports. */
    public List<Qualification> attempts() {
        if (qualifications != null && !qualifications.isEmpty()) {
            return qualifications;
        }
        return qualification == null ? List.of() : List.of(qualification);
    }

    /** @param facts what the hashes are made of, and others shown beside them */
    public record Host(String fingerprintHash, String classHash, String classLabel, Map<String, Object> facts) {
        /** What an agent reads of a host has two thousand; each host that differs is kept. */
        private static final int MOST_FACTS = 65_536;

        public Host {
            FieldChecks.matching("fingerprintHash", fingerprintHash, FieldChecks.SHA256);
            FieldChecks.matching("classHash", classHash, FieldChecks.SHA256);
            FieldChecks.text("classLabel", classLabel, 200);
            FieldChecks.allStorable("facts", FieldChecks.present("facts", facts));
            int length = facts.toString().length();
            if (length > MOST_FACTS) {
                throw new FieldChecks.Refused(
                        "facts", "must have at most " + MOST_FACTS + " characters in all, has " + length);
            }
        }
    }

    /** A JDK that was found and is not measured. */
    public record ExcludedJdk(String version, String reason) {
        public ExcludedJdk {
            FieldChecks.text("version", version, 120);
            FieldChecks.text("reason", reason, 500);
        }
    }

    private static void distinct(String list, String field, List<String> values) {
        if (values.stream().distinct().count() < values.size()) {
            throw new FieldChecks.Refused(list, "must have each " + field + " once");
        }
    }
}
