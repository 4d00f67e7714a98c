package dev.loomboard.catalog;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import dev.loomboard.web.Wire;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What on a machine would spoil a measurement. Its JSON is the wire's Doctor.
 *
 * @param at when its agent looked, RFC 3339
 */
@JsonIgnoreProperties({"problems", "unknown", "fine"}) // read by pages
public record Doctor(String schema, String at, List<Finding> findings) {

    private static final String SCHEMA = "loomboard.doctor/1";
    private static final List<String> SEVERITIES = List.of("blocks", "warns", "info");
    private static final List<String> STATES = List.of("ok", "problem", "unknown");

    public Doctor {
        Wire.oneOf("schema", schema, List.of(SCHEMA));
        Wire.text("at", at, 40);
        Wire.instant("at", at);
        findings = Wire.list("findings", findings, 100);
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
            Wire.matching("check", check, Wire.SLUG);
            Wire.oneOf("severity", severity, SEVERITIES);
            Wire.oneOf("state", state, STATES);
            Wire.text("found", found, 1000);
            if (why != null) {
                Wire.text("why", why, 500);
            }
            if (mend != null) {
                Wire.text("mend", mend, 500);
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
