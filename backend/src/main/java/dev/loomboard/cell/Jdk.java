package dev.loomboard.cell;

import com.fasterxml.jackson.annotation.JsonProperty;
import tools.jackson.databind.util.StdConverter;

/**
 * A JDK build, or that there is none ({@link #none}).
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

    /** Feature release of what is no JDK. */
    public static final int NO_FEATURE = 0;

    /** There is none: the server has no JVM. Its version then says so in words. */
    public boolean none() {
        return feature == NO_FEATURE;
    }

    /** Its version and who built it. */
    public String words() {
        return (shortVersion() + " " + vendor).strip();
    }

    /** What follows the name of a server on it. */
    public String on() {
        return none() ? ", " + shortVersion() : " on " + shortVersion();
    }

    /** A release in words: {@code JDK 25}. */
    public static String release(int feature) {
        return feature == NO_FEATURE ? "No JDK" : "JDK " + feature;
    }

    /** A track in words: {@code JDK 25 · temurin · amd64}. */
    public static String track(int feature, String vendor, String architecture) {
        return feature == NO_FEATURE ? release(feature) : String.join(" · ", release(feature), vendor, architecture);
    }

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
