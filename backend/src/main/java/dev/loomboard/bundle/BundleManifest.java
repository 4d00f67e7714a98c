package dev.loomboard.bundle;

import dev.loomboard.kernel.FieldChecks;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The last member of a bundle: where it comes from and what is in it.
 *
 * @param origin where the run was measured, however often it was exported and imported since
 * @param exported how this file came to be: all that differs between two exports of one run
 * @param members all others, in their order in the file
 */
public record BundleManifest(String schema, Origin origin, Exported exported, List<Member> members) {

    public static final String SCHEMA = "loomboard.bundle/1";

    public static final int MOST_MEMBERS = 50_000;

    /** Nothing else is a name: no folder above, no absolute path, no other alphabet. */
    private static final Pattern NAME =
            Pattern.compile("[a-z0-9][a-z0-9-]{0,40}(/[a-z0-9][a-z0-9-]{0,40}){0,3}\\.(json|csv|txt|log)");

    /**
     * @param service its address
     * @param run external id there
     */
    public record Origin(String service, String run) {
        public Origin {
            FieldChecks.text("service", service, 300);
            FieldChecks.noneDeceptive("service", service);
            FieldChecks.matching("run", run, BundleRun.ID);
        }
    }

    /**
     * @param at when
     * @param service by which
     * @param methodology version of the analysis by which {@code trials.csv} was made
     * @param compact true: what no number is made of was left out; null: nothing was
     */
    public record Exported(
            String at,
            String service,
            String methodology,
            @Nullable Boolean compact) {
        public Exported {
            FieldChecks.text("at", at, 40);
            FieldChecks.instant("at", at);
            FieldChecks.text("service", service, 300);
            FieldChecks.text("methodology", methodology, 40);
        }

        public Instant instant() {
            return FieldChecks.instant("at", at);
        }
    }

    /**
     * @param bytes unpacked
     * @param sha256 of these, in hexadecimal
     */
    public record Member(String name, long bytes, String sha256) {
        public Member {
            FieldChecks.matching("name", name, NAME);
            FieldChecks.notNegative("bytes", bytes);
            FieldChecks.matching("sha256", sha256, FieldChecks.SHA256);
        }
    }

    public BundleManifest {
        FieldChecks.oneOf("schema", schema, List.of(SCHEMA));
        FieldChecks.present("origin", origin);
        FieldChecks.present("exported", exported);
        members = FieldChecks.list("members", members, MOST_MEMBERS);
        Set<String> names = new HashSet<>();
        for (Member member : members) {
            if (!names.add(member.name())) {
                throw new FieldChecks.Refused("members", "must have each name once, has twice: " + member.name());
            }
        }
    }
}
