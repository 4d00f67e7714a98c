package dev.loomboard.bundle;

import dev.loomboard.cell.Availability;
import dev.loomboard.jdk.JdkVersion;
import dev.loomboard.kernel.FieldChecks;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * A JDK build that cells of the run are on.
 *
 * @param slug by which cells name it
 * @param identity digest of what makes it this build and no other
 * @param lineage how it was made; of an agent's report, without its files' digests
 */
public record BundleJdk(
        String slug,
        String identity,
        String vendor,
        String runtimeVersion,
        int feature,
        Availability availability,
        String architecture,
        Map<String, Object> lineage,
        String lineageHash) {

    private static final Pattern SLUG = Pattern.compile("[a-z0-9][a-z0-9._+-]{0,119}");

    public BundleJdk {
        FieldChecks.matching("slug", slug, SLUG);
        FieldChecks.matching("identity", identity, FieldChecks.SHA256);
        FieldChecks.text("vendor", vendor, 60);
        FieldChecks.text("runtimeVersion", runtimeVersion, 120);
        JdkVersion version = JdkVersion.parse(runtimeVersion);
        FieldChecks.between("feature", feature, 21, 999);
        if (version.numbers().getFirst() != feature) {
            throw new FieldChecks.Refused("feature", "must be that of " + runtimeVersion + ", is: " + feature);
        }
        FieldChecks.present("availability", availability);
        FieldChecks.text("architecture", architecture, 20);
        FieldChecks.allStorable("lineage", FieldChecks.present("lineage", lineage));
        if (lineage.toString().length() > 65_536) {
            throw new FieldChecks.Refused("lineage", "must have at most 65536 characters in all");
        }
        FieldChecks.matching("lineageHash", lineageHash, FieldChecks.SHA256);
    }
}
