package dev.loomboard.bundle;

import dev.loomboard.inventory.Qualification;
import dev.loomboard.kernel.FieldChecks;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The machine of a run, as its agent described it last.
 *
 * @param id external id where it measured
 * @param facts of its host
 * @param qualification null: there is none
 */
public record BundleMachine(
        String id,
        String slug,
        String name,
        @Nullable String agentVersion,
        @Nullable String fingerprintHash,
        @Nullable String classHash,
        @Nullable String classLabel,
        Map<String, Object> facts,
        @Nullable Qualification qualification) {

    private static final Pattern ID = Pattern.compile("mac_[a-z2-7]{20}");

    public BundleMachine {
        FieldChecks.matching("id", id, ID);
        FieldChecks.matching("slug", slug, FieldChecks.SLUG);
        FieldChecks.text("name", name, 80);
        FieldChecks.noneDeceptive("name", name);
        FieldChecks.atMostOrNull("agentVersion", agentVersion, 60);
        digestOrNull("fingerprintHash", fingerprintHash);
        digestOrNull("classHash", classHash);
        FieldChecks.atMostOrNull("classLabel", classLabel, 200);
        checked(facts);
    }

    /**
     * Its host from a time on.
     *
     * @param since in UTC, as PostgreSQL reads it, too
     */
    public record Host(String since, String fingerprintHash, String agentVersion, Map<String, Object> facts) {
        public Host {
            since = FieldChecks.instant("since", since).toString();
            FieldChecks.matching("fingerprintHash", fingerprintHash, FieldChecks.SHA256);
            FieldChecks.text("agentVersion", agentVersion, 60);
            checked(facts);
        }
    }

    /** Pages show its beginning. */
    private static void digestOrNull(String field, @Nullable String digest) {
        if (digest != null) {
            FieldChecks.matching(field, digest, FieldChecks.SHA256);
        }
    }

    private static void checked(@Nullable Map<String, Object> facts) {
        Map<String, Object> all = FieldChecks.present("facts", facts);
        FieldChecks.allStorable("facts", all);
        if (all.toString().length() > 65_536) {
            throw new FieldChecks.Refused("facts", "must have at most 65536 characters in all");
        }
    }
}
