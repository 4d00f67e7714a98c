package dev.loomboard.jdk;

import dev.loomboard.cell.Availability;
import dev.loomboard.kernel.Digest;
import dev.loomboard.kernel.FieldChecks;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
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
        Availability availability,
        String architecture,
        String modulesSha256,
        String libjvmSha256,
        Lineage lineage) {

    private static final Pattern SLUG = Pattern.compile("[a-z0-9][a-z0-9._+-]{0,119}");
    private static final int SUFFIX = 8;

    public JdkReport {
        FieldChecks.matching("slug", slug, SLUG);
        FieldChecks.matching("identity", identity, FieldChecks.SHA256);
        FieldChecks.text("vendor", vendor, 60);
        FieldChecks.text("runtimeVersion", runtimeVersion, 120);
        int parsed = Math.toIntExact(JdkVersion.parse(runtimeVersion).numbers().getFirst());
        FieldChecks.between("feature", feature, 21, 999);
        if (parsed != feature) {
            throw new FieldChecks.Refused("feature", "must be that of " + runtimeVersion + ", is: " + feature);
        }
        FieldChecks.present("availability", availability);
        FieldChecks.text("architecture", architecture, 20);
        FieldChecks.matching("modulesSha256", modulesSha256, FieldChecks.SHA256);
        FieldChecks.matching("libjvmSha256", libjvmSha256, FieldChecks.SHA256);
        FieldChecks.present("lineage", lineage);
        Availability derived = JdkVersion.parse(runtimeVersion).early() ? Availability.EA : Availability.GA;
        follows("availability", availability.wire(), derived.wire(), "runtimeVersion");
        follows(
                "identity",
                identity,
                digest(lineage.vendor(), runtimeVersion, architecture, modulesSha256, libjvmSha256),
                "lineage.vendor, runtimeVersion, architecture, modulesSha256 and libjvmSha256");
        String name = vendor + "-" + JdkVersion.parse(runtimeVersion).slug() + "-" + architecture;
        if (!slug.equals(rebuilt(name, identity))) {
            follows("slug", slug, name, "vendor, runtimeVersion and architecture");
        }
    }

    /** What distinguishes a build from another of the same name: more than enough of its identity. */
    static String rebuilt(String slug, String identity) {
        return slug + "-" + identity.substring(0, SUFFIX);
    }

    /** As agents make it: of parts with a zero byte between them, which none can contain. */
    private static String digest(String... parts) {
        return HexFormat.of().formatHex(Digest.sha256(String.join("\0", parts).getBytes(StandardCharsets.UTF_8)));
    }

    /** What an agent derives from other fields must follow from these: nobody gives a build another's name. */
    private static void follows(String field, String stated, String derived, String from) {
        if (!stated.equals(derived)) {
            throw new FieldChecks.Refused(field, "must follow from " + from + ": " + derived + ", is: " + stated);
        }
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
            FieldChecks.allStorable("vendor", FieldChecks.present("vendor", vendor));
            FieldChecks.allStorable("compiler", FieldChecks.present("compiler", compiler));
            FieldChecks.allStorable("libc", FieldChecks.present("libc", libc));
            FieldChecks.oneOf("debugLevel", debugLevel, List.of("release")); // debug builds are refused
            FieldChecks.allStorable("internal", FieldChecks.present("internal", internal));
            FieldChecks.matching("hash", hash, FieldChecks.SHA256);
            cds = FieldChecks.list("cds", cds, 100);
            release = FieldChecks.map("release", release);
            FieldChecks.allStorable("cds", cds);
            FieldChecks.allStorable("release", release);
            String compilers = compiler.split("\\.", 2)[0];
            follows(
                    "hash",
                    hash,
                    digest(vendor, compilers, libc, debugLevel, String.valueOf(!cds.isEmpty())),
                    "vendor, compiler, libc, debugLevel and cds");
        }
    }
}
