package dev.loomboard.jdk;

import dev.loomboard.web.Wire;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** A build as an agent reports it. Its JSON is the wire's JdkBuild. */
public record JdkReport(
        String slug,
        String identity,
        String vendor,
        String runtimeVersion,
        int feature,
        String availability,
        String architecture,
        String modulesSha256,
        String libjvmSha256,
        Lineage lineage) {

    private static final Pattern SLUG = Pattern.compile("[a-z0-9][a-z0-9._+-]{0,119}");
    private static final List<String> AVAILABILITIES = List.of("ea", "ga");

    public JdkReport {
        Wire.matching("slug", slug, SLUG);
        Wire.matching("identity", identity, Wire.SHA256);
        Wire.text("vendor", vendor, 60);
        Wire.text("runtimeVersion", runtimeVersion, 120);
        int parsed = Math.toIntExact(JdkVersion.parse(runtimeVersion).numbers().getFirst());
        Wire.between("feature", feature, 21, 999);
        if (parsed != feature) {
            throw new Wire.Refused("feature", "must be that of " + runtimeVersion + ", is: " + feature);
        }
        Wire.oneOf("availability", availability, AVAILABILITIES);
        Wire.text("architecture", architecture, 20);
        Wire.matching("modulesSha256", modulesSha256, Wire.SHA256);
        Wire.matching("libjvmSha256", libjvmSha256, Wire.SHA256);
        Wire.present("lineage", lineage);
    }

    /** How a build was made: across two lineages a difference is one of distribution, never a JDK regression. */
    public record Lineage(
            String vendor,
            String compiler,
            String libc,
            String debugLevel,
            String internal,
            List<String> cds,
            Map<String, String> release,
            String hash) {
        public Lineage {
            Wire.present("vendor", vendor);
            Wire.present("compiler", compiler);
            Wire.present("libc", libc);
            Wire.oneOf("debugLevel", debugLevel, List.of("release")); // debug builds are refused
            Wire.present("internal", internal);
            Wire.matching("hash", hash, Wire.SHA256);
            cds = Wire.list("cds", cds, 100);
            release = Wire.map("release", release);
        }
    }
}
