package dev.loomboard.cell;

/** A JDK build as rows and choices show it. */
public record Jdk(
        String slug,
        String vendor,
        String version,
        int feature,
        boolean earlyAccess,
        String architecture,
        String lineageHash) {

    /** The version without what every row repeats: 25.0.3+9, 28-ea+18. */
    public String shortVersion() {
        int suffix = version.indexOf('-', version.contains("-ea") ? version.indexOf("-ea") + 3 : 0);
        return suffix > 0 ? version.substring(0, suffix) : version;
    }
}
