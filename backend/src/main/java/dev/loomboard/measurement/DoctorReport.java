package dev.loomboard.measurement;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.loomboard.kernel.FieldChecks;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What on a machine would spoil a measurement. Its JSON is the wire's Doctor.
 *
 * @param at when its agent looked, RFC 3339
 */
public record DoctorReport(String schema, String at, List<Finding> findings) {

    private static final String SCHEMA = "loomboard.doctor/1";
    private static final List<String> SEVERITIES = List.of("blocks", "warns", "info");
    private static final List<String> STATES = List.of("ok", "problem", "unknown");

    public DoctorReport {
        FieldChecks.oneOf("schema", schema, List.of(SCHEMA));
        FieldChecks.text("at", at, 40);
        FieldChecks.instant("at", at);
        findings = FieldChecks.list("findings", findings, 100);
    }

    /**
     * One check.
     *
     * @param severity of a problem: blocks, warns or info
     * @param state ok, problem or unknown
     * @param why it matters; null: it is ok
     * @param mend the command that helps; null: none does
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Finding(
            String check,
            String severity,
            String state,
            String found,
            @Nullable String why,
            @Nullable String mend) {
        public Finding {
            FieldChecks.matching("check", check, FieldChecks.SLUG);
            FieldChecks.oneOf("severity", severity, SEVERITIES);
            FieldChecks.oneOf("state", state, STATES);
            FieldChecks.text("found", found, 1000);
            if (why != null) {
                FieldChecks.text("why", why, 500);
            }
            if (mend != null) {
                FieldChecks.text("mend", mend, 500);
            }
        }
    }

    /** The worst first. */
    public List<Finding> problems() {
        return SEVERITIES.stream()
                .flatMap(severity -> in("problem").stream()
                        .filter(finding -> finding.severity().equals(severity)))
                .toList();
    }

    /** Names of what could not be read on that machine. */
    public String unknown() {
        return names("unknown");
    }

    public String fine() {
        return names("ok");
    }

    private String names(String state) {
        return String.join(", ", in(state).stream().map(Finding::check).toList());
    }

    private List<Finding> in(String state) {
        return findings.stream()
                .filter(finding -> finding.state().equals(state))
                .toList();
    }
}
