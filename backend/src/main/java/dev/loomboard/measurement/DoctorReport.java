package dev.loomboard.measurement;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.loomboard.kernel.FieldChecks;
import dev.loomboard.kernel.WireName;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What on a machine would spoil a measurement. Its JSON is the wire's Doctor.
 *
 * @param at when its agent looked, RFC 3339
 */
public record DoctorReport(String schema, String at, List<Finding> findings) {

    private static final String SCHEMA = "loomboard.doctor/1";
    private static final String JDK_PROVIDER = "jdk-provider";

    /** Of a problem, the worst first. */
    public enum Severity implements WireName {
        BLOCKS,
        WARNS,
        INFO
    }

    public enum State implements WireName {
        OK,
        PROBLEM,
        UNKNOWN
    }

    public DoctorReport {
        FieldChecks.oneOf("schema", schema, List.of(SCHEMA));
        FieldChecks.text("at", at, 40);
        FieldChecks.instant("at", at);
        findings = FieldChecks.list("findings", findings, 100);
    }

    /**
     * One check.
     *
     * @param why it matters; null: it is ok
     * @param mend the command that helps; null: none does
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Finding(
            String check,
            Severity severity,
            State state,
            String found,
            @Nullable String why,
            @Nullable String mend) {
        public Finding {
            FieldChecks.matching("check", check, FieldChecks.SLUG);
            FieldChecks.present("severity", severity);
            FieldChecks.present("state", state);
            FieldChecks.text("found", found, 1000);
            if (why != null) {
                FieldChecks.text("why", why, 500);
            }
            if (mend != null) {
                FieldChecks.text("mend", mend, 500);
            }
        }
    }

    /** What brings JDK builds to the machine and how it fares, in words; null: its owner has configured nothing that does. */
    public @Nullable String jdkProvider() {
        for (Finding finding : findings) {
            if (finding.check().equals(JDK_PROVIDER)) {
                return finding.found();
            }
        }
        return null;
    }

    /** The worst first. */
    public List<Finding> problems() {
        return in(State.PROBLEM).stream()
                .sorted(Comparator.comparing(Finding::severity))
                .toList();
    }

    /** Names of what could not be read on that machine. */
    public String unknown() {
        return names(State.UNKNOWN);
    }

    public String fine() {
        return names(State.OK);
    }

    private String names(State state) {
        return String.join(", ", in(state).stream().map(Finding::check).toList());
    }

    private List<Finding> in(State state) {
        return findings.stream().filter(finding -> finding.state() == state).toList();
    }
}
