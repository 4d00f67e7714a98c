package dev.loomboard.cell;

import com.fasterxml.jackson.annotation.JsonProperty;
import tools.jackson.databind.util.StdConverter;

/**
 * A JDK build.
 *
 * @param slug its name in addresses
 * @param runtimeVersion as {@code java.runtime.version} has it
 * @param feature release, such as 25
 * @param lineageHash two builds that differ in it differ as distributions, not as JDKs
 */
public record Jdk(
        String slug,
        String vendor,
        @JsonProperty("version") String runtimeVersion,
        int feature,

        @JsonProperty(access = JsonProperty.Access.WRITE_ONLY)
        Availability availability,

        String architecture,
        String lineageHash) {

    @JsonProperty
    public boolean earlyAccess() {
        return availability == Availability.EA;
    }

    /** The version without what every row repeats: 25.0.3+9, 28-ea+18. */
    public String shortVersion() {
        return shortVersion(runtimeVersion);
    }

    public static String shortVersion(String runtimeVersion) {
        int suffix =
                runtimeVersion.indexOf('-', runtimeVersion.contains("-ea") ? runtimeVersion.indexOf("-ea") + 3 : 0);
        return suffix > 0 ? runtimeVersion.substring(0, suffix) : runtimeVersion;
    }

    /** The JSON of answers that name its parts as the agent's wire does: {@code runtimeVersion} and {@code availability}. */
    record WireNames(
            String slug,
            String vendor,
            String runtimeVersion,
            int feature,
            Availability availability,
            String architecture,
            String lineageHash) {}

    public static final class ToWireNames extends StdConverter<Jdk, WireNames> {
        @Override
        public WireNames convert(Jdk jdk) {
            return new WireNames(
                    jdk.slug,
                    jdk.vendor,
                    jdk.runtimeVersion,
                    jdk.feature,
                    jdk.availability,
                    jdk.architecture,
                    jdk.lineageHash);
        }
    }
}
